import { z } from 'zod';
import { answerWithin, type LoadTool, namedHeaders, onlyRequest, UNPACKED } from './tool.ts';

/** A time in ns, which becomes µs. */
const time = z.number().transform((ns) => ns / 1e3);

/** What `report -type json` prints. A status of 0 stands for no answer. */
const outputSchema = z.object({
  latencies: z.object({
    mean: time,
    '50th': time,
    '90th': time,
    '95th': time,
    '99th': time,
    max: time,
  }),
  /** In ns: from the first request to the last, and from that to its answer. */
  duration: z.number(),
  wait: z.number(),
  status_codes: z.record(z.string(), z.number()),
  errors: z.array(z.string()),
});

/** With as many workers as it takes, each request is sent when it is due. */
export const vegeta: LoadTool = {
  name: 'vegeta',
  // Built by `go install`, it knows its runtime alone.
  version: /^(?:Version: (?=\S)|Runtime: )(\S+)/m,
  lacks: ['mix of requests'],
  latencyFrom: 'due',
  // One program attacks, and another reports: `$0` is vegeta, `$1` what is sent.
  script: 'target=$1; shift; printf "%s\\n" "$target" | "$0" attack "$@" | "$0" report -type json',

  argv(load) {
    const { method, path, headers, body, bodyFile, chunked } = onlyRequest(load);
    const { origin, rate, connections, durationSeconds } = load;
    const all = Object.entries(namedHeaders(headers, UNPACKED));
    const header = Object.fromEntries(all.map(([name, value]) => [name, [value]]));
    const encoded = body === undefined ? {} : { body: Buffer.from(body).toString('base64') };
    const pace = rate
      ? ['-rate', `${rate}/1s`]
      : ['-rate', '0', '-max-workers', String(connections)];
    return [
      JSON.stringify({ method, url: origin + path, header, ...encoded }),
      ...[
        '-format',
        'json',
        ...pace,
        '-workers',
        String(connections),
        '-duration',
        `${durationSeconds}s`,
      ],
      ...(bodyFile === undefined ? [] : ['-body', bodyFile]),
      ...(chunked ? ['-chunked'] : []),
      ...['-timeout', `${answerWithin(load)}s`, '-redirects', '-1', '-max-body', '0'],
    ];
  },

  parse(stdout) {
    const { latencies, duration, wait, errors, ...output } = outputSchema.parse(JSON.parse(stdout));
    const { 0: unanswered = 0, ...statuses } = output.status_codes;
    const { mean, max, '50th': p50, '90th': p90, '95th': p95, '99th': p99 } = latencies;
    // It tells statuses among the errors, too.
    const reason = errors.find((error) => !/^\d{3} /.test(error)) ?? 'no answer';
    return {
      seconds: (duration + wait) / 1e9,
      statuses,
      failures: { [reason]: unanswered },
      latencyUs: { mean, max, p50, p90, p95, p99, p999: null },
    };
  },
};
