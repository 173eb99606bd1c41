import { headerOptions, type LoadTool, onlyRequest } from './tool.ts';

const UNITS_US = { us: 1, ms: 1e3, s: 1e6 };

export const h2load: LoadTool = {
  name: 'h2load',
  version: /^h2load nghttp2\/(\S+)/m,
  lacks: ['mix', 'head', 'text'],
  latencyFrom: 'sent',

  argv(load, cores) {
    const { method, path, headers, bodyFile } = onlyRequest(load);
    const { connections, durationSeconds, rate, origin } = load;
    return [
      ...['--h1', '-t', String(Math.min(cores, connections)), '-c', String(connections), '-D', `${durationSeconds}s`],
      // Of each connection.
      ...(rate === undefined ? [] : ['--rps', String(rate / connections)]),
      ...(bodyFile === undefined ? [] : ['-d', bodyFile]),
      ...headerOptions({ ...(method !== 'GET' && { ':method': method }), ...headers }),
      origin + path,
    ];
  },

  parse(stdout) {
    // In ms if it was late to start its clock.
    const [, finished, perSecond] = found(stdout, /^finished in (\S+), ([\d.]+) req\/s/m);
    const counts = found(stdout, /^requests: .* (\d+) started, (\d+) done, .* (\d+) errored, (\d+) timeout$/m);
    const [, started = 0, requests = 0, errored = 0, timeout = 0] = counts.map(Number);
    const classes = found(stdout, /^status codes: (\d+) 2xx, (\d+) 3xx, (\d+) 4xx, (\d+) 5xx$/m).slice(1);
    // With the headings, because other versions may have other columns.
    const [, max, mean] = found(stdout, /^ +min +max +mean .*\ntime for request: +\S+ +(\S+) +(\S+)/m);
    return {
      // The rate is exact, and the time rounded.
      seconds: Number(perSecond) > 0 ? requests / Number(perSecond) : inUs(finished) / 1e6,
      statuses: Object.fromEntries(classes.map((count, index) => [`${index + 2}xx`, Number(count)])),
      failures: { errored, timeout },
      underWay: started - requests,
      latencyUs: { mean: inUs(mean), max: inUs(max), p50: null, p90: null, p95: null, p99: null },
    };
  },
};

function found(stdout: string, line: RegExp): string[] {
  const match = line.exec(stdout);
  if (!match) throw new Error(`no line like ${line.source}`);
  return match;
}

/** Of a time such as `66us`, `3.18ms`, `1.20s`. */
function inUs(time = ''): number {
  const [, value, unit] = found(time, /^([\d.]+)(us|ms|s)$/);
  return Number(value) * UNITS_US[unit as keyof typeof UNITS_US];
}
