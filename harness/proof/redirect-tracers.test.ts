import { expect, test } from 'bun:test';
import type { Scenario } from '../suite/suite.ts';
import { redirectTracers } from './redirect-tracers.ts';

const AGENTS = { DD_TRACE_AGENT_URL: 'http://{sink}', ELASTIC_APM_SERVER_URL: 'http://{sink}' };
const redirected = (env: Record<string, string>) => redirectTracers({ env } as Scenario).env;

test('tracers that send to an agent on this machine send to the sink', () => {
  expect(redirected({})).toEqual(AGENTS);
  expect(redirected({ DD_TRACE_AGENT_URL: 'http://127.0.0.1:8126' })).toEqual(AGENTS);
});

test.each([
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'http://127.0.0.1:9/v1/traces', 'http://{sink}/v1/traces'],
  ['SENTRY_DSN', 'https://key@sentry.example/1', 'http://key@{sink}/1'],
  ['OTEL_SDK_DISABLED', 'true', 'true'],
  ['DATABASE_URL', 'http://127.0.0.1:5432', 'http://127.0.0.1:5432'],
])(
  '%s: what is an address of a tracer becomes the sink, and all else stays',
  (name, value, now) => {
    expect(redirected({ [name]: value })).toEqual({ ...AGENTS, [name]: now });
  },
);

test('an address that is no URL, as exporters by gRPC take it, goes', () => {
  expect(redirected({ OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:9' })).toEqual(AGENTS);
});
