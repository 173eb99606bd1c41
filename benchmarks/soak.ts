/**
 * Does `soak` find a leak, and nothing else? A server that keeps 1 KB of each request, once, and one that keeps nothing,
 * many times. All run at once: memory does not depend on how busy the cores are, as long as the rate is held.
 *
 *     PATH=$PWD/.tools/bin:$PATH bun run benchmarks/soak.ts [TIMES] [TIME] [RATE]
 *
 * Ten times for 10 minutes are the defaults. Other defaults of `soak` apply.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryFolder } from '../harness/machine/watchdog.ts';

const [times = '10', time = '10m', rate = '1000'] = process.argv.slice(2);
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

const names = ['leaky', ...Array.from({ length: Number(times) }, () => 'bare')];
const [found, ...alarms] = await Promise.all(names.map(soak));
console.log(`1 KB a request, ${rate} requests/s, ${time}: ${found ? 'found' : 'not found'}.`);
console.log(`Nothing kept, ${times} times: ${alarms.filter(Boolean).length} false alarms.`);

/** Whether it says that the server's memory grows. @throws if it does not say whether. */
async function soak(name: string): Promise<boolean> {
  const argv = ['soak', name, '--suite', suite, '--for', time, '--rate', rate, '--export', 'none'];
  const child = Bun.spawn([process.execPath, CLI, ...argv], { stderr: 'inherit' });
  const told = await new Response(child.stdout).text();
  console.log(`${name}: ${told.trim().replaceAll('\n', ' ')}`);
  if (!told.includes('Memory: ')) throw new Error(`${name} told nothing of memory`);
  return told.includes('It grows');
}
