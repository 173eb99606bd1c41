import { gzipSync } from 'node:zlib';
import { Function as Code, Line, Location, Profile, Sample, StringTable, ValueType } from 'pprof-format';
import { mean } from 'simple-statistics';
import type { Side } from '../result/schema.ts';
import { type Call, keyOf } from './calls.ts';
import type { Explanation } from './explanation.ts';
import type { Frame } from './profile.ts';

/**
 * One side of an explanation as `go tool pprof` reads it, gzipped: CPU time of one request in ns by stack, what is outside
 * JavaScript in stacks of one frame.
 */
export function pprofOf({ calls, outside }: Explanation, side: Side): Uint8Array {
  const stringTable = new StringTable();
  const functions = new Map<string, Code>();
  const locationOf = (frame: Frame, owner: string): number => {
    const key = keyOf(frame);
    const known = functions.get(key);
    if (known) return Number(known.id);
    const id = functions.size + 1;
    const name = stringTable.dedup(`${frame.name} [${owner}]`);
    const filename = stringTable.dedup(frame.url);
    functions.set(key, new Code({ id, name, systemName: name, filename, startLine: frame.line + 1 }));
    return id;
  };
  const sample: Sample[] = [];
  const add = (us: number, locationId: number[]) => {
    if (us > 0) sample.push(new Sample({ locationId, value: [Math.round(us * 1e3)] }));
  };
  const visit = ({ frame, owner, selfUs, calls }: Call, callers: number[]) => {
    const stack = [locationOf(frame, owner), ...callers];
    add(mean(selfUs[side]), stack);
    for (const call of calls) visit(call, stack);
  };
  visit(calls, []);
  for (const part of outside) {
    const frame = { name: part.where, url: '', line: -1, column: -1 };
    add(side === 'baseline' ? part.baselineUs : part.scenarioUs, [locationOf(frame, 'outside')]);
  }
  const location = [...functions.values()].map(
    ({ id }) => new Location({ id, line: [new Line({ functionId: id, line: 0 })] }),
  );
  const sampleType = [new ValueType({ type: stringTable.dedup('cpu'), unit: stringTable.dedup('nanoseconds') })];
  const profile = new Profile({ sampleType, sample, location, function: [...functions.values()], stringTable });
  return gzipSync(profile.encode());
}
