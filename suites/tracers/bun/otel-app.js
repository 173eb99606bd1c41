// A Hono app on OpenTelemetry's API, with a span and a duration for each request by a short
// middleware: the code that two SDKs have in common if they are compared. `$SPANS`: how many spans
// a request has, each nested in the one before.
const SPANS = Number(process.env.SPANS ?? 1);
const headers = { get: (all, name) => all.get(name) ?? undefined, keys: (all) => [...all.keys()] };

/**
 * Registers an SDK with the API, and returns the app. What is given comes from the packages of that
 * SDK.
 */
export function otelApp({ api, core, contextManager, tracerProvider, meterProvider, Hono }) {
  const { context, propagation, SpanKind } = api;
  context.setGlobalContextManager(contextManager);
  const propagators = [new core.W3CTraceContextPropagator(), new core.W3CBaggagePropagator()];
  propagation.setGlobalPropagator(new core.CompositePropagator({ propagators }));

  const tracer = tracerProvider.getTracer('tracers');
  const duration = meterProvider
    .getMeter('tracers')
    .createHistogram('http.server.request.duration', { unit: 's' });
  const app = new Hono();

  app.use(async (c, next) => {
    const startedAt = performance.now();
    const { method, path } = c.req;
    const route = { 'http.request.method': method, 'http.route': path };
    const parent = propagation.extract(context.active(), c.req.raw.headers, headers);
    const options = { kind: SpanKind.SERVER, attributes: route };
    await tracer.startActiveSpan(`${method} ${path}`, options, parent, async (span) => {
      await next();
      const attributes = { ...route, 'http.response.status_code': c.res.status };
      span.setAttributes(attributes).end();
      duration.record((performance.now() - startedAt) / 1e3, attributes);
    });
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
