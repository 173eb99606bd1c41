/**
 * Does `soak` find a leak, and nothing else? A server that keeps 1 KB of each request, once, and then one that keeps
 * nothing, many times.
 *
 *     PATH=$PWD/.tools/bin:$PATH bun run benchmarks/soak.ts [TIMES] [TIME] [RATE]
 *
 * Ten times 10 minutes, which are the defaults, and the leak before them take almost two hours.
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

const found = soak('leaky');
const alarms = Array.from({ length: Number(times) }, () => soak('bare')).filter(Boolean).length;
console.log(`1 KB a request, ${rate} requests/s, ${time}: ${found ? 'found' : 'not found'}.`);
console.log(`Nothing kept, ${times} times: ${alarms} false alarms.`);

/** Whether it says that the server's memory grows. */
function soak(name: string): boolean {
  const argv = ['soak', name, '--suite', suite, '--for', time, '--rate', rate, '--export', 'none'];
  const { stdout } = Bun.spawnSync([process.execPath, CLI, ...argv], { stderr: 'inherit' });
  console.log(`${name}: ${stdout.toString().trim().replaceAll('\n', ' ')}`);
  return stdout.includes('It grows');
}
