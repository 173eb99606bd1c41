import { gzipSync } from 'node:zlib';
import { Function as Code, Line, Location, Profile, Sample, StringTable, ValueType } from 'pprof-format';
import type { Side } from '../result/schema.ts';
import type { Explanation } from './explanation.ts';

/** So that a single sample is no part of a ns. */
const REQUESTS = 1_000_000;

/** One side of an explanation as `go tool pprof` reads it, gzipped: CPU time of a million requests in ns, by stack. */
export function pprofOf({ spent, profiledPairs }: Explanation, side: Side): Uint8Array {
  const stringTable = new StringTable();
  const code = new Map<string, Code>();
  const idOf = (functionName: string, url: string, lineNumber: number) => {
    const key = `${functionName} ${url}:${lineNumber}`;
    const [name, filename] = [stringTable.dedup(functionName || '(anonymous)'), stringTable.dedup(url)];
    const known =
      code.get(key) ?? new Code({ id: code.size + 1, name, systemName: name, filename, startLine: lineNumber + 1 });
    code.set(key, known);
    return known.id;
  };
  const sample = spent
    .filter((each) => each.side === side)
    .map(({ stack, owner, us }) => {
      const ids = stack.map(({ functionName, url, lineNumber }) => idOf(functionName, url, lineNumber));
      const value = [Math.round((us * 1e3 * REQUESTS) / profiledPairs)];
      return new Sample({ locationId: ids.length > 0 ? ids : [idOf(owner, '', -1)], value });
    });
  const location = [...code.values()].map(
    ({ id }) => new Location({ id, line: [new Line({ functionId: id, line: 0 })] }),
  );
  const sampleType = [new ValueType({ type: stringTable.dedup('cpu'), unit: stringTable.dedup('nanoseconds') })];
  const profile = new Profile({ sampleType, sample, location, function: [...code.values()], stringTable });
  return gzipSync(profile.encode());
}
