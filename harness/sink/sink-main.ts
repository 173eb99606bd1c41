/**
 * The sink, called with a port: takes what a server exports, counts the spans, and tells that at /counts. More arguments
 * are how it behaves, and a JSON list of those spans that are not counted, by name.
 */
import { receiverSchema } from '../result/pair-schema.ts';
import { fits } from '../suite/telemetry.ts';
import { Intake } from './intake.ts';
import { listen } from './listen.ts';
import { inTrouble } from './trouble.ts';

/** If all are told to end at once, servers still send what they have; a server that finds nobody would try for long. */
const LAST_EXPORT_MS = 1_000;

const [port, receiver, uncounted = '[]'] = process.argv.slice(2);
const names: Parameters<typeof fits>[0][] = JSON.parse(uncounted);
const isCounted = (name: string) => !names.some((each) => fits(each, name));
let spans = 0;
const intake = new Intake((protocol, payload) => {
  spans +=
    protocol.count?.(payload, names.length > 0 ? isCounted : undefined) ??
    protocol.decode(payload).spans?.filter(({ name }) => isCounted(name)).length ??
    0;
});
const counts = () => {
  const { payloads, bytes, refused, fault } = intake;
  return Response.json({ spans, payloads, bytes, refused, fault });
};

const behaving = inTrouble(intake, receiverSchema.default('takes').parse(receiver));
await listen(behaving, Number(port), { '/counts': counts });

process.on('SIGTERM', () => setTimeout(() => process.exit(0), LAST_EXPORT_MS));
