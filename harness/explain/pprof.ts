import { gzipSync } from 'node:zlib';
import { Function as Code, Line, Location, Profile, Sample, StringTable, ValueType } from 'pprof-format';
import { mean } from 'simple-statistics';
import type { Side } from '../result/schema.ts';
import { type Call, keyOf } from './calls.ts';
import type { Explanation } from './explanation.ts';
import type { Frame } from './profiles.ts';

/** One side of an explanation as `go tool pprof` reads it, gzipped: CPU time of one request in ns, by stack. */
export function pprofOf({ calls, outside }: Explanation, side: Side): Uint8Array {
  const strings = new StringTable();
  const functions = new Map<string, Code>();
  const sample: Sample[] = [];
  const idOf = (frame: Frame, owner: string): number => {
    const key = `${owner} ${keyOf(frame)}`;
    const known = functions.get(key);
    if (known) return Number(known.id);
    const id = functions.size + 1;
    const name = strings.dedup(`${frame.functionName || '(anonymous)'} [${owner}]`);
    const filename = strings.dedup(frame.url);
    functions.set(key, new Code({ id, name, systemName: name, filename, startLine: frame.lineNumber + 1 }));
    return id;
  };
  const add = ({ frame, owner, selfUs, calls }: Call, callers: number[]) => {
    const locationId = [idOf(frame, owner), ...callers];
    sample.push(new Sample({ locationId, value: [Math.round(mean(selfUs[side]) * 1e3)] }));
    for (const call of calls) add(call, locationId);
  };
  add(calls, []);
  for (const { where, us } of outside) {
    const frame = { functionName: where, url: '', lineNumber: -1, columnNumber: -1 };
    add({ frame, owner: 'outside', selfUs: { baseline: [us.baseline], scenario: [us.scenario] }, calls: [] }, []);
  }
  const code = [...functions.values()];
  const location = code.map(({ id }) => new Location({ id, line: [new Line({ functionId: id, line: 0 })] }));
  const sampleType = [new ValueType({ type: strings.dedup('cpu'), unit: strings.dedup('nanoseconds') })];
  return gzipSync(new Profile({ sampleType, sample, location, function: code, stringTable: strings }).encode());
}
