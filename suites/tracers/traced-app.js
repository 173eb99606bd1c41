/**
 * A Hono app with a span and a duration for each request, by the API alone: the same for SDK 2 and 3. `api`, `core` and
 * `Hono` are those of the server's own folder. `$SPANS`: how many spans a request has, each nested in the one before.
 */
export function tracedApp({ Hono, api, core, contextManager, tracerProvider, meterProvider }) {
  const { context, propagation, SpanKind } = api;
  context.setGlobalContextManager(contextManager);
  const propagators = [new core.W3CTraceContextPropagator(), new core.W3CBaggagePropagator()];
  propagation.setGlobalPropagator(new core.CompositePropagator({ propagators }));
  const tracer = tracerProvider.getTracer('tracers');
  const duration = meterProvider.getMeter('tracers').createHistogram('http.server.request.duration', { unit: 's' });
  const app = new Hono();

  app.use(async (c, next) => {
    const startedAt = performance.now();
    const { method, path } = c.req;
    const route = { 'http.request.method': method, 'http.route': path };
    const parent = propagation.extract(context.active(), c.req.raw.headers, HEADERS);
    await tracer.startActiveSpan(
      `${method} ${path}`,
      { kind: SpanKind.SERVER, attributes: route },
      parent,
      async (span) => {
        await next();
        const attributes = { ...route, 'http.response.status_code': c.res.status };
        span.setAttributes(attributes).end();
        duration.record((performance.now() - startedAt) / 1e3, attributes);
      },
    );
  });

  const nested = (number, answer) =>
    number > SPANS
      ? answer()
      : tracer.startActiveSpan(`span ${number}`, (span) => {
          const answered = nested(number + 1, answer);
          span.end();
          return answered;
        });
  app.get('/', (c) => nested(2, () => c.text('Hi')));

  process.on('SIGTERM', async () => {
    await Promise.allSettled([tracerProvider.shutdown(), meterProvider.shutdown()]);
    process.exit();
  });
  return app;
}

const SPANS = Number(process.env.SPANS ?? 1);
const HEADERS = { get: (headers, name) => headers.get(name) ?? undefined, keys: (headers) => [...headers.keys()] };
