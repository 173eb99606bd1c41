/**
 * This room proves what a server records before anything is measured. A scenario with what its
 * suite claims goes in; a proof, or a problem that names the discrepancies, comes out, and for
 * `prove` the telemetry that a suite may claim. How telemetry is received and decoded is not known
 * here: that is in `sink/`.
 */
import { serverFor, telemetryOf } from '../plan/planned-server.ts';
import type { Proof } from '../result/schema.ts';
import type { Place } from '../server/server.ts';
import { describeRefusals, type RefusedRequests } from '../sink/refusals.ts';
import { scenariosOf } from '../suite/select.ts';
import type { Exchange, Scenario, Suite } from '../suite/suite.ts';
import { flattenSpan, namesWithoutRequest, type Telemetry } from '../suite/telemetry.ts';
import { ScenarioProblem } from '../words/errors.ts';
import { INVOKED_AS } from '../words/output.ts';
import { findDiscrepancies } from './discrepancies.ts';
import { type Observation, observe, type ProofWorld } from './observe.ts';
import { redirectTracers } from './redirect-tracers.ts';
import { buildSpanTrees } from './span-tree.ts';

/** The number of requests of all kinds together. */
const REQUESTS = 200;
/** The number of requests of each kind is at least this. */
const MIN_REQUESTS_EACH = 20;
const MAX_FINDINGS = 5;
const REMEDY =
  'Fix the server, its "env", or the telemetry that the suite declares: ' +
  `${INVOKED_AS} prove prints what arrives`;
/** Requests of these paths hold spans, or may. */
const PATH_OF_SPANS = /traces|spans|envelope|intake/;

/** What came of a proof. */
type ProofOutcome = 'proven' | 'records-nothing' | 'sends-what-nothing-takes' | 'not-as-claimed';

const PROBLEMS: Record<Exclude<ProofOutcome, 'proven'>, string> = {
  'records-nothing': 'records nothing',
  'sends-what-nothing-takes': 'sends what nothing takes',
  'not-as-claimed': 'does not do what it claims',
};

/**
 * Returns what the scenario gets: each request once, from a task that claims something of it if
 * there is one.
 */
export function exchangesOf({ tasks }: Suite, scenario: Scenario): Exchange[] {
  const ownTasks = tasks.filter((task) => scenariosOf([task]).includes(scenario));
  const sent = ownTasks.flatMap(({ exchanges }) => exchanges);
  const isClaimed = (exchange: Exchange) => telemetryOf(exchange, scenario) !== undefined;
  // The last of the same requests is the one that stays.
  const claimedLast = sent.sort((one, other) => Number(isClaimed(one)) - Number(isClaimed(other)));
  const byRequest = new Map(claimedLast.map((each) => [JSON.stringify(each.request), each]));
  return [...byRequest.values()];
}

/**
 * Has a fresh server of the scenario export to tracetax, and sends it requests. Returns the proof;
 * undefined if the suite claims nothing of the scenario.
 * @throws ScenarioProblem with what arrived and is not what the scenario claims
 */
export async function proofFor(
  place: Place,
  suite: Suite,
  scenario: Scenario,
  world?: ProofWorld,
): Promise<Proof | undefined> {
  const exchanges = exchangesOf(suite, scenario).filter((exchange) =>
    telemetryOf(exchange, scenario),
  );
  const claims = exchanges.flatMap((exchange) => telemetryOf(exchange, scenario) ?? []);
  if (claims.length === 0) return undefined;
  const exporting = isTraced(claims) ? scenario : redirectTracers(scenario);
  const server = serverFor(suite, exporting, exchanges, 'otlp');
  const requestsEach = Math.max(MIN_REQUESTS_EACH, Math.round(REQUESTS / exchanges.length));
  const requests = requestsEach * exchanges.length;
  const observation = await observe(place, server, { exchanges, requestsEach }, world);
  const discrepancies = findDiscrepancies(claims, requestsEach, observation);
  const outcome = outcomeOf(claims, observation, discrepancies);
  if (outcome === 'proven') return proofOf(scenario, claims, requests, observation);
  const findings = [...describeRefusals(observation.refused), ...discrepancies];
  const detail = `after ${requests} requests: ${findings.slice(0, MAX_FINDINGS).join('; ')}`;
  const { said } = observation;
  throw new ScenarioProblem(scenario.name, PROBLEMS[outcome], detail, REMEDY, `; ${said}`);
}

function isTraced(claims: Telemetry[]): boolean {
  return claims.some(({ span }) => span !== undefined);
}

function outcomeOf(
  claims: Telemetry[],
  { spans, points, logs, profiles, refused }: Observation,
  discrepancies: string[],
): ProofOutcome {
  // No server that records nothing sends spans.
  const hidesSpans = !isTraced(claims) && refused.some(mayHoldSpans);
  if (discrepancies.length === 0 && !hidesSpans) return 'proven';
  const arrived = spans.length + points.length + logs.length + profiles;
  if (arrived > 0) return 'not-as-claimed';
  return refused.length > 0 ? 'sends-what-nothing-takes' : 'records-nothing';
}

function mayHoldSpans({ kind, name }: RefusedRequests): boolean {
  return kind === 'not-http' || PATH_OF_SPANS.test(name);
}

function proofOf(
  scenario: Scenario,
  claims: Telemetry[],
  requests: number,
  { spans, points, profiles, refused, notes }: Observation,
): Proof {
  const trees = buildSpanTrees(spans, namesWithoutRequest(claims));
  return {
    scenario: scenario.name,
    requests,
    spans: trees.flatMap((tree) => flattenSpan(tree)).length,
    metrics: [...new Set(points.map(({ metric }) => metric))],
    ...(profiles > 0 && { profiles }),
    notes: [...describeRefusals(refused), ...notes],
  };
}
