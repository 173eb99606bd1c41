/**
 * Does `soak` find a leak, and nothing else? A server that keeps 1 KB of each request, once, and then one that keeps
 * nothing, many times.
 *
 *     PATH=$PWD/.tools/bin:$PATH bun run benchmarks/soak.ts [TIMES] [TIME] [RATE] [AT_ONCE]
 *
 * Ten times 10 minutes and the leak, four at once, which are the defaults, take half an hour. Memory does not depend on
 * what else runs, as long as the load tools hold their rates: two cores are too few for twelve of them.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '../harness/machine/watchdog.ts';

const [times = '10', time = '10m', rate = '1000', atOnce = '4'] = process.argv.slice(2);
const CLI = resolve(import.meta.dir, '../harness/cli.ts');
const folder = temporaryFolder();
const HANDLER = {
  bare: "() => new Response('Hi')",
  leaky: "() => { kept.push(Buffer.alloc(1_000, kept.length)); return new Response('Hi'); }",
};
for (const [name, handler] of Object.entries(HANDLER))
  writeFileSync(join(folder, `${name}.ts`), `const kept: Buffer[] = [];\nexport default { fetch: ${handler} };\n`);
const scenarios = Object.keys(HANDLER).map((name) => ({ name, title: name, command: ['bun', 'run', `${name}.ts`] }));
const exchanges = [{ answer: { body: 'Hi' } }];
const suite = join(folder, 'suite.json');
writeFileSync(
  suite,
  JSON.stringify({ name: 'soak', title: 'Soak', baseline: 'bare', tasks: [{ name: 'get', exchanges }], scenarios }),
);

const names = ['leaky', ...Array<string>(Number(times)).fill('bare')];
const alarms: string[] = [];
await Promise.all(Array.from({ length: Number(atOnce) }, soakNext));
console.log(`1 KB a request, ${rate} requests/s, ${time}: ${alarms.includes('leaky') ? 'found' : 'not found'}.`);
console.log(`Nothing kept, ${times} times: ${alarms.filter((name) => name === 'bare').length} false alarms.`);

/**
 * Loads what is left, one after the other, and keeps the name of each server whose memory is said to grow.
 * @throws if it does not say whether.
 */
async function soakNext() {
  for (let name = names.shift(); name; name = names.shift()) {
    const argv = ['soak', name, '--suite', suite, '--for', time, '--rate', rate, '--export', 'none'];
    const { stdout } = Bun.spawn([process.execPath, CLI, ...argv], { stdout: 'pipe', stderr: 'inherit' });
    const text = await stdout.text();
    console.log(`${name}: ${text.trim().replaceAll('\n', ' ')}`);
    if (!text.includes('Memory: ')) throw new Error(`${name} told nothing of memory`);
    if (text.includes('It grows')) alarms.push(name);
  }
}
