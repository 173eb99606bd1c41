/**
 * This is a program of its own: the process of a sink, which `startSink` starts. It is called with
 * a port, and listens there; it counts the spans that a server exports, and tells the counts at
 * /counts. Two more arguments may follow: how it behaves, and a JSON list of the names of spans
 * that are not counted.
 */
import type { ReceiverBehaviour } from '../result/pair-schema.ts';
import { Counter } from './counter.ts';
import { listen } from './listen.ts';

/**
 * If all processes are told to end at once, servers still send what they have. A server that finds
 * nobody would try for long.
 */
const LAST_EXPORT_MS = 1_000;

const [port, behaviour = 'takes', uncounted = '[]'] = process.argv.slice(2);

await listen(new Counter(JSON.parse(uncounted), behaviour as ReceiverBehaviour), Number(port));

process.on('SIGTERM', () => setTimeout(() => process.exit(0), LAST_EXPORT_MS));
