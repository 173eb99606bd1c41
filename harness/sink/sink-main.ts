/** The sink, called with a port: takes what a server exports, counts the spans, and tells that at /counts. */
import { Intake } from './intake.ts';

/** If all are told to end at once, servers still send what they have; a server that finds nobody would try for long. */
const LAST_EXPORT_MS = 1_000;

let spans = 0;
const intake = new Intake((protocol, payload) => {
  spans += protocol.count?.(payload) ?? protocol.decode(payload).spans?.length ?? 0;
});
const refused = () => Array.from(intake.refused, ([request, count]) => ({ request, count }));

Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.argv[2]),
  routes: { '/counts': () => Response.json({ spans, refused: refused(), fault: intake.fault }) },
  fetch: (request) => intake.answer(request),
});

process.on('SIGTERM', () => setTimeout(() => process.exit(0), LAST_EXPORT_MS));
