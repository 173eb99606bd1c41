import { afterEach, describe, expect, spyOn, test } from 'bun:test';
import { Hono } from 'hono';
import { Inspector } from './index.ts';
import { type Destination, destinationOf } from './pipelines.ts';

const endpoint = 'http://127.0.0.1:1';
const before = { ...process.env };

afterEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name];
  Object.assign(process.env, before);
});

/** What the environment makes of the two signals, and what is warned of. */
function read(env: Record<string, string>) {
  Object.assign(process.env, env);
  const warn = spyOn(console, 'warn').mockImplementation(() => {});
  const destinations = [destinationOf('TRACES'), destinationOf('METRICS')];
  const warnings = warn.mock.calls.flat();
  warn.mockRestore();
  return { destinations, warnings };
}

describe('the environment says where telemetry goes', () => {
  const cases: [Record<string, string>, Destination, Destination][] = [
    [{}, 'none', 'none'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, 'otlp', 'otlp'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint }, 'otlp', 'none'],
    [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: endpoint }, 'none', 'otlp'],
    [{ OTEL_TRACES_EXPORTER: 'otlp', OTEL_METRICS_EXPORTER: 'discard' }, 'otlp', 'discard'],
    [{ OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, 'none', 'otlp'],
    [{ OTEL_TRACES_EXPORTER: '', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, 'otlp', 'otlp'],
  ];
  for (const [env, traces, metrics] of cases) {
    test(JSON.stringify(env), () => {
      expect(read(env)).toEqual({ destinations: [traces, metrics], warnings: [] });
    });
  }

  test('a value that is not known is ignored with one line', () => {
    expect(read({ OTEL_TRACES_EXPORTER: 'console', OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).toEqual({
      destinations: ['otlp', 'otlp'],
      warnings: ['@tracetax/inspector ignores OTEL_TRACES_EXPORTER=console: it knows none, discard, otlp'],
    });
  });
});

test('discard encodes all, counts it as exported, and sends nothing', async () => {
  Object.assign(process.env, { OTEL_TRACES_EXPORTER: 'discard', OTEL_METRICS_EXPORTER: 'discard' });
  const inspector = new Inspector();
  for (let i = 0; i < 20_000; i++) inspector.instruments.traces.trace('span', () => {});
  await inspector.flush();
  await inspector.shutdown();
  expect(inspector.instruments.traces.counts).toEqual({ started: 20_000, exported: 20_000, dropped: 0 });
});

test('an endpoint that refuses costs the spans, and they are counted; metrics that fail do no harm', async () => {
  Object.assign(process.env, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: '100' });
  const inspector = new Inspector();
  await inspector.instrument(new Hono()).request('/');
  await inspector.flush();
  expect(inspector.instruments.traces.counts).toEqual({ started: 1, exported: 0, dropped: 1 });
  await inspector.shutdown();
});

test('an inspector that exports loads nothing of the SDK that it can do without', () => {
  const script = `
    import { Hono } from 'hono';
    import { Inspector } from './index.ts';
    const inspector = new Inspector({ bodies: {} });
    await inspector.instrument(new Hono()).request('/');
    await inspector.flush();
    console.log(Object.keys(require.cache).join(' '));`;
  const env = { ...process.env, OTEL_TRACES_EXPORTER: 'discard', OTEL_METRICS_EXPORTER: 'discard' };
  const run = Bun.spawnSync([process.execPath, '-e', script], { cwd: import.meta.dir, env });
  const loaded = run.stdout.toString();
  expect(new Set(loaded.match(/@opentelemetry\/[\w-]+/g))).toEqual(
    new Set(['@opentelemetry/api', '@opentelemetry/core']),
  );
  expect(loaded).not.toContain('core/build/src/index');
});
