import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dir, '..');

/** A folder for one test, gone when the test is over. */
export class Workplace {
  readonly folder = mkdtempSync(join(tmpdir(), 'tracetax-test-'));

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, content: string, mode = 0o644): string {
    writeFileSync(this.path(name), content, { mode });
    return this.path(name);
  }

  /** A suite of one-file servers by name; each is the body of a fetch handler, and the first is the baseline. */
  suite(handlers: Record<string, string>, more: object = {}): string {
    const names = Object.keys(handlers);
    for (const name of names) this.write(`${name}.ts`, server(handlers[name] as string));
    const scenarios = names.map((name) => ({ name, command: ['bun', 'run', `${name}.ts`] }));
    const suite = { name: 'test', answer: { body: 'Hi' }, baseline: names[0], scenarios, ...more };
    return this.write('suite.json', JSON.stringify(suite));
  }
}

export const HI = "return new Response('Hi')";

/** Source of a server whose fetch handler has this body; `state` is an object that lasts from request to request. */
export function server(handler: string): string {
  return `const state = {};\nexport default { fetch: async (request) => { ${handler} } };\n`;
}

export interface Finished {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** The kit's command line, as scripts/bench.sh starts it once set-up is done. */
export function bench(args: string[], env: Record<string, string> = {}) {
  return Bun.spawn(['bun', join(ROOT, 'harness/cli.ts'), ...args], {
    env: {
      ...process.env,
      TRACETAX_LOAD: 'bombardier --fasthttp -c 100 -d 30s',
      ...env,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

export async function finished(process: ReturnType<typeof bench>): Promise<Finished> {
  const [stdout, stderr] = await Promise.all([
    new Response(process.stdout).text(),
    new Response(process.stderr).text(),
  ]);
  await process.exited;
  return { status: process.exitCode, stdout, stderr };
}

/** A run as short as the load tools allow, without duets. */
export const SHORT = [
  '--no-duet',
  '--rounds',
  '1',
  '--duration',
  '1s',
  '--warmup',
  '0s',
  '--connections',
  '4',
];

/** Processes whose command line holds the text. */
export function processesWith(text: string): string[] {
  const listing = Bun.spawnSync(['pgrep', '-f', text]).stdout.toString();
  return listing.split('\n').filter((pid) => pid !== '' && Number(pid) !== process.pid);
}

/** Waits until the condition holds. @throws Error when it does not within the time. */
export async function until(condition: () => boolean, withinMs = 10_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`not within ${withinMs} ms: ${condition}`);
    await Bun.sleep(20);
  }
}
