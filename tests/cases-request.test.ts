// What is sent, what comes back, and what a tool can take: folders of cases/, after public reports.
import { describe, expect, test } from 'bun:test';
import { LIMIT_MS, SHORT, SHORTEST, WHOLE, Workplace } from './bench.ts';

/** Measures the suite of a case. */
async function measured(name: string, suite: string, options: string[] = []) {
  await using place = new Workplace();
  place.copy(name);
  return await place.measure([...SHORTEST, '--suite', `./${suite}.json`, ...options]);
}

describe('requests, answers and limits', () => {
  const cases = (name: string, run: () => Promise<void>) => test.concurrent(name, run, LIMIT_MS);

  cases('unescaped-path: the load sends it as the check does', async () => {
    expect((await measured('unescaped-path', 'path')).outcome).toEqual(WHOLE);
  });

  cases('the check calls itself what the load tool does', async () => {
    await using place = new Workplace();
    const suite = place.suite({
      base: "return new Response(request.headers.get('user-agent') === 'fasthttp' ? 'No' : 'Hi')",
    });
    const { stderr } = await place.run([...SHORT, '--tool', 'bombardier', '--suite', suite]);
    expect(stderr).toContain('base gave a wrong answer: GET /: body');
  });

  cases('a path that the tool would rewrite is refused', async () => {
    await using place = new Workplace();
    const suite = place.suite({ base: "return new Response('Hi')" }, { request: { path: '/@a%2Fb' } });
    const run = await place.run([...SHORT, '--tool', 'bombardier', '--suite', suite]);
    expect(run).toMatchObject({ status: 2, stdout: '' });
    expect(run.stderr).toContain('bombardier sends "GET /@a/b" where the suite says "GET /@a%2Fb"');
  });

  cases('long-answer-headers: the limit of the tool is told, once', async () => {
    const { stdout, result } = await measured('long-answer-headers', 'suite', ['--tool', 'bombardier']);
    expect(stdout).toContain('the load tool takes no answer with so large headers');
    expect(result.pairs[0]?.faults.length).toBeLessThan(6);
  });

  cases('heavy-page: requests that wait for 3 s are measured', async () => {
    expect((await measured('heavy-page', 'heavy', ['--connections', '80'])).outcome).toEqual(WHOLE);
  });

  cases('few-files: the limit is named', async () => {
    await using place = new Workplace();
    place.copy('few-files');
    const command = ['sh', '-c', 'ulimit -n 40; exec node plain.mjs'];
    place.write('few.json', JSON.stringify({ name: 'few', baseline: 'a', scenarios: [{ name: 'a', command }] }));
    const { outcome } = await place.measure([...SHORTEST, '--connections', '60', '--suite', './few.json']);
    expect(outcome.faults[0]?.detail).toContain('ulimit -n');
  });

  cases('wrong-answer-under-load: the row is invalid', async () => {
    const { outcome } = await measured('wrong-answer-under-load', 'drift');
    expect(outcome.faults.map(({ what }) => what)).toEqual(
      ['under load', 'under load', 'afterwards', 'afterwards'].map((when) => `wrong answer ${when}`),
    );
  });

  cases('a suite with an open timer: the run ends', async () => {
    await using place = new Workplace();
    const { default: suite } = await import(place.suite({ base: "return new Response('Hi')" }));
    place.write('suite.ts', `setInterval(() => {}, 1000);\nexport default ${JSON.stringify(suite)};`);
    expect((await place.measure([...SHORTEST, '--suite', './suite.ts'])).outcome).toEqual(WHOLE);
  });
});
