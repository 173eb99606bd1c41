/**
 * The sink, called with a port: takes what a server exports, counts the spans, and tells that at /counts. More arguments
 * are how it behaves, and a JSON list of those spans that are not counted, by name.
 */
import { receiverSchema } from '../result/pair-schema.ts';
import { isOneOf, type Telemetry } from '../suite/telemetry.ts';
import { Intake } from './intake.ts';
import { listen } from './listen.ts';

/** If all are told to end at once, servers still send what they have; a server that finds nobody would try for long. */
const LAST_EXPORT_MS = 1_000;
const SLOW_MS = 1_000;

const [port, told = 'takes', uncounted = '[]'] = process.argv.slice(2);
const receiver = receiverSchema.parse(told);
const names: Telemetry['ignore'] = JSON.parse(uncounted);

/** Takes requests as a collector in such trouble does; one that is gone is where nobody listens. */
class TroubledIntake extends Intake {
  override async answer(request: Request): Promise<Response> {
    if (receiver === 'hangs') return new Promise(() => {});
    if (receiver === 'slow') await Bun.sleep(SLOW_MS);
    if (receiver !== 'refuses') return super.answer(request);
    await request.bytes();
    return new Response('overloaded', { status: 503 });
  }
}

let counted = 0;
const intake = new TroubledIntake((protocol, payload) => {
  const { spans = [] } = protocol.decode(payload);
  counted += (names.length > 0 ? spans.filter((span) => !isOneOf(names, protocol.nameOf(span))) : spans).length;
});
const counts = () => {
  const { payloads, bytes, refused, fault } = intake;
  return Response.json({ spans: counted, payloads, bytes, refused, fault });
};
await listen(intake, Number(port), { '/counts': counts });

process.on('SIGTERM', () => setTimeout(() => process.exit(0), LAST_EXPORT_MS));
