// How servers start: late, not yet ready, elsewhere, with another protocol, or built before. Folders of cases/.
import { describe, expect } from 'bun:test';
import { caseOf, SHORTEST, WHOLE, type Workplace } from './bench.ts';

/** Measures the other server of a suite against the first. */
function measuring(place: Workplace, folder: string, suite: string, more: object = {}) {
  place.copy(folder);
  const content = { ...require(place.path(`${suite}.json`)), ...more };
  return ['--suite', place.write('suite.json', JSON.stringify(content)), '--scenarios', suite, ...SHORTEST];
}

describe('late-start', () => {
  caseOf('a server may take as long as its suite says, and no longer', async (place) => {
    const { status, stderr } = await place.run(measuring(place, 'late-start', 'slow'));
    expect(status).toBe(1);
    expect(stderr).toMatch(/^tracetax: Scenario slow did not start: took more than 1 s .* "startWithinSeconds" /m);
    await place.end();
  });

  caseOf('it is ready when it gives the expected answer', async (place) => {
    const { outcome } = await place.measure(measuring(place, 'late-start', 'notready'));
    expect(outcome).toEqual(WHOLE);
  });
});

describe('listens-elsewhere', () => {
  const cause = (suite: string, words: RegExp) =>
    caseOf(suite, async (place) => {
      const args = measuring(place, 'listens-elsewhere', suite, { startWithinSeconds: 5 });
      if (suite === 'tls') Bun.spawnSync(['sh', 'make-certificate.sh'], { cwd: place.folder });
      const { status, stderr } = await place.run(args);
      expect(status).toBe(1);
      expect(stderr).toMatch(words);
      await place.end();
    });
  cause('v6', /^tracetax: Scenario v6 does not listen on its HOST and PORT: it listens on \[::1\]:\d+; /m);
  cause('quiet', /^tracetax: Scenario quiet does not listen .* it listens on 127\.0\.0\.1:8123; .* \{port\} /m);
  cause('tls', /^tracetax: Scenario tls did not answer: it speaks TLS\. /m);
  cause('h2c', /^tracetax: Scenario h2c did not answer: it speaks HTTP\/2\. /m);

  caseOf('the stdin of a server stays open', async (place) => {
    expect((await place.measure(measuring(place, 'listens-elsewhere', 'stdin'))).outcome).toEqual(WHOLE);
  });

  caseOf('{port} and {host} stand in arguments and variables', async (place) => {
    const env = { SERVER_PORT: '{port}' };
    const scenarios = [
      { name: 'plain', command: ['node', 'plain.mjs'] },
      { name: 'quiet', command: ['node', 'quiet-port.mjs'], env },
    ];
    expect((await place.measure(measuring(place, 'listens-elsewhere', 'quiet', { scenarios }))).outcome).toEqual(WHOLE);
  });
});

caseOf(
  'git-built: each checkout is built and has its files, also one from before the suite said how',
  async (place) => {
    place.copy('git-built');
    expect(Bun.spawnSync(['bash', 'setup.sh'], { cwd: place.folder }).exitCode).toBe(0);
    const committed = require(place.path('project/bench/suite.json'));
    // What git does not have comes along.
    const needed = {
      files: ['../local.env'],
      prepare: [
        ['npm', 'run', 'build'],
        ['sh', '-c', '! git ls-files --error-unmatch local.env && cat local.env'],
      ],
    };
    place.write('project/bench/suite.json', JSON.stringify({ ...committed, ...needed }));
    place.write('project/local.env', '');
    Bun.spawnSync(['git', 'commit', '-qam', 'three'], { cwd: place.path('project') });
    const compare = ['compare', '--git', 'main', '--suite', 'project/bench/suite.json', ...SHORTEST];
    expect(await place.run(compare)).toMatchObject({ status: 0 });
    await place.end();
  },
);
