import { gzipSync } from 'node:zlib';
import { Function as Code, Line, Location, Profile, Sample, StringTable, ValueType } from 'pprof-format';
import type { Side } from '../result/schema.ts';
import { type Call, means } from './calls.ts';
import type { Explanation } from './explanation.ts';

/**
 * One side of an explanation as `go tool pprof` reads it, gzipped: CPU time of one request in ns, by stack. Each call is a
 * function of its own; pprof takes those together that have the same name and file.
 */
export function pprofOf({ calls }: Explanation, side: Side): Uint8Array {
  const stringTable = new StringTable();
  const code: Code[] = [];
  const sample: Sample[] = [];
  const add = ({ frame, owner, selfUs, calls }: Call, callers: number[]) => {
    const locationId = [code.length + 1, ...callers];
    const name = stringTable.dedup(`${frame.functionName || '(anonymous)'} [${owner}]`);
    const filename = stringTable.dedup(frame.url);
    code.push(new Code({ id: code.length + 1, name, systemName: name, filename, startLine: frame.lineNumber + 1 }));
    sample.push(new Sample({ locationId, value: [Math.round(means(selfUs)[side] * 1e3)] }));
    for (const call of calls) add(call, locationId);
  };
  add(calls, []);
  const location = code.map(({ id }) => new Location({ id, line: [new Line({ functionId: id, line: 0 })] }));
  const sampleType = [new ValueType({ type: stringTable.dedup('cpu'), unit: stringTable.dedup('nanoseconds') })];
  return gzipSync(new Profile({ sampleType, sample, location, function: code, stringTable }).encode());
}
