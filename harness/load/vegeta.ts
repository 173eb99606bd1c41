import { z } from 'zod';
import {
  answerWithinSeconds,
  type Load,
  type LoadTool,
  namedHeaders,
  onlyRequest,
  UNPACKED,
} from './tool.ts';

/** A time in ns, which becomes µs. */
const time = z.number().transform((ns) => ns / 1e3);

/** What `report -type json` prints. */
const outputSchema = z.object({
  latencies: z.object({
    mean: time,
    '50th': time,
    '90th': time,
    '95th': time,
    '99th': time,
    max: time,
  }),
  /** From the first request to the last, in ns. */
  duration: z.number(),
  /** From the last request to its answer, in ns. */
  wait: z.number(),
  /** Answers by status; a status of 0 stands for no answer. */
  status_codes: z.record(z.string(), z.number()),
  errors: z.array(z.string()),
});

/** A request as `-format json` takes it. */
interface Target {
  method: string;
  url: string;
  header: Record<string, string[]>;
  /** It is written in Base64. */
  body?: string;
}

/** vegeta sends each request when it is due, with as many workers as that takes. */
export const vegeta: LoadTool = {
  name: 'vegeta',
  // A vegeta that was built by `go install` knows its runtime alone.
  version: /^(?:Version: (?=\S)|Runtime: )(\S+)/m,
  lacks: ['mix of requests'],
  latencyFrom: 'due',
  // Go's client opens a connection for whoever waits, who may then be served by another.
  opensMore: true,
  waitsForAnswers: true,
  // One process of vegeta sends, and another reports: `$0` is vegeta, `$1` what is sent.
  script: 'target=$1; shift; printf "%s\\n" "$target" | "$0" attack "$@" | "$0" report -type json',

  argv(load) {
    const { bodyFile, chunked } = onlyRequest(load);
    const { connections, durationSeconds } = load;
    const target = JSON.stringify(targetOf(load));
    const format = ['-format', 'json'];
    const workers = ['-workers', String(connections)];
    const duration = ['-duration', `${durationSeconds}s`];
    const attack = [...format, ...paceOptions(load), ...workers, ...duration];
    const body = bodyFile === undefined ? [] : ['-body', bodyFile];
    const stream = chunked ? ['-chunked'] : [];
    const timeout = ['-timeout', `${answerWithinSeconds(load)}s`];
    const answers = ['-redirects', '-1', '-max-body', '0'];
    return [target, ...attack, ...body, ...stream, ...timeout, ...answers];
  },

  parse(stdout) {
    const output = outputSchema.parse(JSON.parse(stdout));
    const { latencies } = output;
    const { 0: unanswered = 0, ...statuses } = output.status_codes;
    // vegeta lists statuses among the errors, too.
    const reason = output.errors.find((error) => !/^\d{3} /.test(error)) ?? 'no answer';
    return {
      seconds: (output.duration + output.wait) / 1e9,
      statuses,
      failures: { [reason]: unanswered },
      latencyUs: {
        mean: latencies.mean,
        max: latencies.max,
        p50: latencies['50th'],
        p90: latencies['90th'],
        p95: latencies['95th'],
        p99: latencies['99th'],
        p999: null,
      },
    };
  },
};

function targetOf(load: Load): Target {
  const { method, path, headers, body } = onlyRequest(load);
  const named = Object.entries(namedHeaders(headers, UNPACKED));
  const target: Target = {
    method,
    url: load.origin + path,
    header: Object.fromEntries(named.map(([name, value]) => [name, [value]])),
  };
  if (body !== undefined) target.body = Buffer.from(body).toString('base64');
  return target;
}

/** Returns the options of a steady rate, or of a closed loop with one worker a connection. */
function paceOptions({ rate, connections }: Load): string[] {
  if (rate) return ['-rate', `${rate}/1s`];
  return ['-rate', '0', '-max-workers', String(connections)];
}
