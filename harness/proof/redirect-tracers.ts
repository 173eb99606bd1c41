import type { Scenario } from '../suite/suite.ts';

/** Where agents are. Where OTLP goes is in the environment of every planned server. */
const AGENT_ADDRESSES: Record<string, string> = {
  DD_TRACE_AGENT_URL: 'http://{sink}',
  ELASTIC_APM_SERVER_URL: 'http://{sink}',
};
const TRACER_VARIABLE = /^(OTEL|DD|ELASTIC_APM|SENTRY)_/;
const OTLP_ADDRESS = /^OTEL_EXPORTER_\w*ENDPOINT$/;
/** The first group is the user, as in the URLs of Sentry. */
const USER_AND_HOST = /^https?:\/\/([^/@]*@)?[^/]*/;

/**
 * Returns the scenario with all tracers sending to the sink, wherever they would send: a scenario
 * that claims to record nothing must be seen if it does.
 */
export function redirectTracers(scenario: Scenario): Scenario {
  const variables = Object.entries(scenario.env).map(
    ([name, value]) => [name, redirected(name, value)] as const,
  );
  const kept = variables.filter(([name, value]) => !isOtherAddress(name, value));
  return { ...scenario, env: { ...AGENT_ADDRESSES, ...Object.fromEntries(kept) } };
}

function redirected(name: string, value: string): string {
  return TRACER_VARIABLE.test(name) ? value.replace(USER_AND_HOST, 'http://$1{sink}') : value;
}

/** Whether it is an address without a URL, as exporters by gRPC take it: it can't be redirected. */
function isOtherAddress(name: string, value: string): boolean {
  const isAddress = name in AGENT_ADDRESSES || OTLP_ADDRESS.test(name);
  return isAddress && !value.includes('{sink}');
}
