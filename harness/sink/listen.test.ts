import { afterAll, expect, test } from 'bun:test';
import { connect as connectHttp2, constants, type IncomingHttpHeaders } from 'node:http2';
import { connect } from 'node:net';
import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as HttpExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { Intake } from './intake.ts';
import { listen } from './listen.ts';

let spans = 0;
const intake = new Intake((protocol, payload) => {
  spans += (protocol.decode(payload).spans ?? []).filter(
    (span) => protocol.nameOf?.(span) !== 'beat',
  ).length;
});
const listening = await listen(intake);
afterAll(() => listening[Symbol.asyncDispose]());
const url = `http://${listening.address}`;

/**
 * Exports 1,000 spans as the SDK does it, half of them of a name that is not counted. Resolves with
 * how many were.
 */
async function counted(exporter: SpanExporter): Promise<number> {
  spans = 0;
  const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
  const tracers = ['one', 'two'].map((name) => provider.getTracer(name));
  for (let index = 0; index < 500; index++)
    for (const tracer of tracers)
      tracer.startSpan(index % 2 ? 'beat' : 'span', { attributes: { index } }).end();
  await provider.shutdown();
  return spans;
}

test.each(['none', 'gzip'] as const)(
  'gRPC and HTTP are taken on one port, with the compression %s',
  async (name) => {
    const compression = name as never;
    expect(await counted(new GrpcExporter({ url, compression }))).toBe(500);
    expect(await counted(new HttpExporter({ url: `${url}/v1/traces`, compression }))).toBe(500);
    expect({ refused: intake.refused, fault: intake.fault }).toEqual({ refused: [], fault: null });
  },
);

test.each([
  ['a tracer', 'ends'],
  ['an export', 'is given up'],
])(
  '%s that %s in the middle of a send by gRPC: it is refused, and no more is wrong',
  async (what) => {
    const own = new Intake((protocol, payload) => protocol.decode(payload));
    await using listening = await listen(own);
    const client = connectHttp2(`http://${listening.address}`);
    const path = '/opentelemetry.proto.collector.trace.v1.TraceService/Export';
    const request = client.request({ ':method': 'POST', ':path': path }).on('error', () => {});
    // Of two bytes, one comes: it is there once what is sent after it is answered.
    request.write('\0\0\0\0\x02\n');
    await new Promise((resolve) => client.ping(resolve));
    if (what === 'an export') request.close(constants.NGHTTP2_CANCEL);
    else client.destroy();
    while (own.refused.length === 0) await Bun.sleep(5);
    const refused = [{ request: `POST ${path}, broken off,`, count: 1 }];
    expect(own).toMatchObject({ fault: null, payloads: 0, refused });
    client.destroy();
  },
);

test('an unknown path is refused by its name, and what is no request by its kind', async () => {
  await fetch(`${url}/otlp/v1/traces`, { method: 'POST', body: 'x' });
  await fetch(url.replace('http', 'https')).catch(() => {});
  const socket = connect(Number(listening.address.split(':')[1]), '127.0.0.1').on(
    'error',
    () => {},
  );
  socket.write('\0thrift');
  await new Promise((resolve) => socket.once('close', resolve));
  const client = connectHttp2(url);
  const request = client.request({ ':method': 'POST', ':path': '/jaeger.Collector/PostSpans' });
  const trailers = new Promise<IncomingHttpHeaders>((resolve) => request.once('trailers', resolve));
  request.resume().end('\0\0\0\0\0');
  expect(await trailers).toMatchObject({ 'grpc-status': '12' });
  client.close();
  const seen = intake.refused.map(({ request, count }) => `${count} ${request}`);
  expect(seen).toEqual([
    '1 POST /otlp/v1/traces',
    '2 TLS or another protocol',
    '1 POST /jaeger.Collector/PostSpans',
  ]);
});
