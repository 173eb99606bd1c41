/**
 * Does `soak` find a leak, and nothing else? A server that keeps 1 KB of each request, once, and
 * then one that keeps nothing, many times.
 *
 *     PATH=$PWD/.tools/bin:$PATH bun run benchmarks/soak.ts [TIMES] [TIME] [RATE] [AT_ONCE]
 *
 * Ten times 10 minutes and the leak, four at once, which are the defaults, take half an hour.
 * Memory does not depend on what else runs, as long as the load tools hold their rates: two cores
 * are too few for twelve of them.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '../harness/processes/watchdog.ts';

const [times = '10', time = '10m', rate = '1000', atOnce = '4'] = process.argv.slice(2);
const CLI = resolve(import.meta.dir, '../harness/cli.ts');
const folder = temporaryFolder();
const HANDLER = {
  bare: "() => new Response('Hi')",
  leaky: "() => { kept.push(Buffer.alloc(1_000, kept.length)); return new Response('Hi'); }",
};
for (const [name, handler] of Object.entries(HANDLER))
  writeFileSync(
    join(folder, `${name}.ts`),
    `const kept: Buffer[] = [];\nexport default { fetch: ${handler} };\n`,
  );
const scenarios = Object.keys(HANDLER).map((name) => ({
  name,
  title: name,
  command: ['bun', 'run', `${name}.ts`],
}));
const exchanges = [{ answer: { body: 'Hi' } }];
const suite = join(folder, 'suite.json');
writeFileSync(
  suite,
  JSON.stringify({
    name: 'soak',
    title: 'Soak',
    baseline: 'bare',
    tasks: [{ name: 'get', exchanges }],
    scenarios,
  }),
);

const names = ['leaky', ...Array<string>(Number(times)).fill('bare')];
const alarms: string[] = [];
const running = new Set<Bun.Subprocess>();
try {
  await Promise.all(Array.from({ length: Number(atOnce) }, soakNext));
} finally {
  // Each stops what it has started.
  for (const each of running) each.kill('SIGTERM');
  await Promise.all([...running].map((each) => each.exited));
}
const falseAlarms = alarms.filter((name) => name === 'bare').length;
const isFound = alarms.includes('leaky');
console.log(`1 KB a request, ${rate} requests/s, ${time}: ${isFound ? 'found' : 'not found'}.`);
console.log(`Nothing kept, ${times} times: ${falseAlarms} false alarms.`);
if (!isFound || falseAlarms > 0) process.exitCode = 1;

/**
 * Loads what is left, one after the other, and keeps the name of each server whose memory is said
 * to grow.
 * @throws if it does not say whether.
 */
async function soakNext() {
  for (let name = names.shift(); name; name = names.shift()) {
    const argv = [
      'soak',
      name,
      '--suite',
      suite,
      '--for',
      time,
      '--rate',
      rate,
      '--export',
      'none',
    ];
    const soak = Bun.spawn([process.execPath, CLI, ...argv], { stdout: 'pipe', stderr: 'inherit' });
    running.add(soak);
    const text = await soak.stdout.text();
    running.delete(soak);
    console.log(`${name}: ${text.trim().replaceAll('\n', ' ')}`);
    if (!/It grows: within|It may grow|It is not known|No growth was found/.test(text))
      throw new Error(`${name} does not tell whether it grows`);
    // CPU per request may grow, too, in other words.
    if (text.includes('It grows: within')) alarms.push(name);
  }
}
