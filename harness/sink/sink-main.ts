/**
 * The sink, called with a port: takes what a server exports, counts the spans, and tells that at /counts. More arguments
 * are how it behaves, and a JSON list of those spans that are not counted, by name.
 */
import type { ReceiverBehaviour } from '../result/pair-schema.ts';
import { matchesAnyName, type Telemetry } from '../suite/telemetry.ts';
import { Intake } from './intake.ts';
import { listen } from './listen.ts';
import type { Json } from './protocol.ts';

/** If all are told to end at once, servers still send what they have; a server that finds nobody would try for long. */
const LAST_EXPORT_MS = 1_000;
const SLOW_MS = 1_000;

const [port, told = 'takes', uncounted = '[]'] = process.argv.slice(2);
const receiver = told as ReceiverBehaviour;
const names: Telemetry['ignore'] = JSON.parse(uncounted);
let counted = 0;

const intake = new Intake((protocol, payload) => {
  const { spans = [] } = protocol.decode(payload);
  const { nameOf = (span: Json) => protocol.spanOf(span).name } = protocol;
  counted += (
    names.length > 0 ? spans.filter((span) => !matchesAnyName(names, nameOf(span))) : spans
  ).length;
});

/** Takes requests as a collector in such trouble does; one that is gone is where nobody listens. */
async function answer(request: Request): Promise<Response> {
  const { payloads, bytes, refused, fault } = intake;
  if (request.url.endsWith('/counts'))
    return Response.json({ spans: counted, payloads, bytes, refused, fault });
  if (receiver === 'hangs') return new Promise(() => {});
  if (receiver === 'slow') await Bun.sleep(SLOW_MS);
  if (receiver !== 'refuses') return intake.answer(request);
  await request.bytes();
  return new Response('overloaded', { status: 503 });
}

await listen({ answer, refuse: (what) => intake.refuse(what) }, Number(port));

process.on('SIGTERM', () => setTimeout(() => process.exit(0), LAST_EXPORT_MS));
