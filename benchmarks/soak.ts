/**
 * Whether memory stays level under load: ten nested spans for some minutes, the probe asked after each.
 *
 *     PATH=$PWD/.tools/bin:$PATH bun run benchmarks/soak.ts FILE [MINUTES]
 *
 * What was read is kept in FILE; where that is there already, what it holds is printed again.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { markdownTable } from 'markdown-table';
import { runLoad } from '../harness/load/run.ts';
import { loadOf } from '../harness/measure/solo.ts';
import type { Usage } from '../harness/server/probe.ts';
import { startServer } from '../harness/server/server.ts';
import type { Scenario } from '../harness/suite/schema.ts';
import { levelsPlan } from './levels-plan.ts';

const [file = 'results/soak.json', minutes = '10'] = process.argv.slice(2);
const LEVEL = 'trace-10x';

interface Minute {
  requests: number;
  usage: Usage | null;
}

if (!existsSync(file)) await measure(Number(minutes));
console.log(report(JSON.parse(readFileSync(file, 'utf8')) as Minute[]));

async function measure(count: number): Promise<void> {
  const planned = await levelsPlan([LEVEL]);
  const scenario = planned.task.scenarios.find(({ name }) => name === LEVEL) as Scenario;
  const { child, port, probe } = await startServer(scenario, planned.suite.cwd, planned.pinning);
  const load = { ...loadOf(planned, port), durationSeconds: 60 };
  const measured: Minute[] = [];
  try {
    for (let minute = 0; minute < count; minute++) {
      await probe.begin();
      const { result } = await runLoad(planned.tool, load, planned.pinning);
      measured.push({ requests: result.requests, usage: await probe.end() });
      writeFileSync(file, `${JSON.stringify(measured, null, 1)}\n`);
    }
  } finally {
    await child.stop();
  }
}

function report(measured: Minute[]): string {
  const mebibytes = (bytes = Number.NaN) => (bytes / 1024 ** 2).toFixed(1);
  const rows = measured.map(({ requests, usage }, index) => [
    String(index + 1),
    String(requests),
    mebibytes(usage?.rssBytes.mean),
    mebibytes(usage?.rssBytes.max),
    mebibytes(usage?.heapBytes.mean),
    String(usage?.telemetry?.spansExported),
    String(usage?.telemetry?.spansDropped),
  ]);
  const head = ['Minute', 'Requests', 'RSS mean, MiB', 'max', 'Heap mean, MiB', 'Spans exported', 'dropped'];
  return markdownTable([head, ...rows], { align: head.map(() => 'r') });
}
