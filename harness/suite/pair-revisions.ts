import { scenariosOf, select, skippedWhole, type WantedNames } from './select.ts';
import {
  type Exchange,
  ONLY_TASK,
  type Preparation,
  type Scenario,
  type Service,
  type Skipped,
  type Suite,
  type SuiteTask,
} from './suite.ts';

/** A suite as one revision has it, and what the user calls that revision. */
export interface Revision {
  title: string;
  suite: Suite;
}

/** The two revisions of a suite that are compared. */
export interface RevisionPair {
  old: Revision;
  current: Revision;
}

/** What a name ends with that both revisions have. */
type Suffix = 'old' | 'new';

/** One revision, and what its scenarios become in the suite that has both. */
interface RenamedRevision {
  tasks: readonly SuiteTask[];
  /** By the names that they had. */
  scenarios: Map<string, Scenario>;
}

/**
 * Returns the suite that measures two revisions in pairs: a task for each scenario of each task, in
 * which the old one is the baseline. Each starts as its revision says; both get the requests of the
 * new one. What the old one lacks is skipped.
 * @throws Problem for a name that the new suite does not have
 */
export function pairRevisions(old: Revision, current: Revision, names: WantedNames): Suite {
  const oldRevision = renameScenarios(old, 'old');
  const newRevision = renameScenarios(current, 'new');
  const tasks: SuiteTask[] = [];
  const missing: Skipped[] = [];
  for (const task of select(current.suite, names).tasks)
    for (const scenario of wantedScenarios(task, names)) {
      const paired = pairScenario(oldRevision, newRevision, task, scenario);
      if (paired) tasks.push(paired);
      else missing.push(skippedWhole(labelsOf(task, scenario).title, `it is not in ${old.title}`));
    }
  return {
    ...current.suite,
    comparesRevisions: true,
    isLadder: false,
    prepare: preparationOfBoth(old.suite, current.suite),
    services: servicesOfBoth(old.suite, current.suite),
    tasks,
    skipped: [...current.suite.skipped, ...missing],
  };
}

/**
 * Returns the task that compares a scenario of a task in both revisions; undefined if the old one
 * lacks it there.
 */
function pairScenario(
  old: RenamedRevision,
  current: RenamedRevision,
  task: SuiteTask,
  scenario: Scenario,
): SuiteTask | undefined {
  const oldTask = old.tasks.find(({ name }) => name === task.name);
  const before = hasScenario(oldTask, scenario) ? old.scenarios.get(scenario.name) : undefined;
  const after = current.scenarios.get(scenario.name);
  if (before === undefined || after === undefined) return undefined;
  return {
    ...task,
    ...labelsOf(task, scenario),
    exchanges: withBothClaims(scenario.name, oldTask?.exchanges, task.exchanges),
    warmUp: withBothClaims(scenario.name, oldTask?.warmUp, task.warmUp),
    baseline: before,
    scenarios: [after],
    // What changed at each value of a sweep makes no line.
    value: undefined,
  };
}

function wantedScenarios(task: SuiteTask, names: WantedNames): Scenario[] {
  return task.scenarios.filter(({ name }) => names.scenarios?.includes(name) ?? true);
}

function labelsOf(task: SuiteTask, { name, title }: Scenario): Pick<SuiteTask, 'name' | 'title'> {
  if (task.name === ONLY_TASK) return { name, title };
  return { name: `${task.name}.${name}`, title: `${task.title}, ${title}` };
}

function hasScenario(task: SuiteTask | undefined, { name }: Scenario): boolean {
  return task !== undefined && scenariosOf([task]).some((each) => each.name === name);
}

/** Gives a revision's scenarios names and titles that tell them from those of the other. */
function renameScenarios({ title, suite }: Revision, suffix: Suffix): RenamedRevision {
  const scenarios = new Map<string, Scenario>();
  for (const scenario of scenariosOf(suite.tasks))
    scenarios.set(scenario.name, {
      ...scenario,
      name: `${scenario.name}.${suffix}`,
      title,
      cwd: scenario.cwd ?? suite.cwd,
      trueCostUs: undefined,
      value: undefined,
    });
  return { tasks: suite.tasks, scenarios };
}

/**
 * Returns the new exchanges, with what each revision claims of the scenario under the name that it
 * has there.
 */
function withBothClaims(
  scenario: string,
  oldExchanges: readonly Exchange[] = [],
  newExchanges: readonly Exchange[],
): Exchange[] {
  return newExchanges.map((exchange) => {
    const oldClaim = counterpartOf(exchange, oldExchanges)?.telemetry[scenario];
    const newClaim = exchange.telemetry[scenario];
    return {
      ...exchange,
      telemetry: {
        ...(oldClaim && { [`${scenario}.old`]: oldClaim }),
        ...(newClaim && { [`${scenario}.new`]: newClaim }),
      },
    };
  });
}

/** Returns the old exchange with the same request, or else with the same method and path. */
function counterpartOf({ request }: Exchange, old: readonly Exchange[]): Exchange | undefined {
  return (
    old.find((other) => Bun.deepEquals(other.request, request)) ??
    old.find(
      (other) => other.request.method === request.method && other.request.path === request.path,
    )
  );
}

/** An old suite that does not say how to build is built as the new one says. */
function preparationOfBoth(old: Suite, current: Suite): Preparation[] {
  const asNew = current.prepare.map(({ command }) => ({ command, cwd: old.cwd }));
  return [...(old.prepare.length > 0 ? old.prepare : asNew), ...current.prepare];
}

/** Returns the services of both; of two with the same name that of the new suite. */
function servicesOfBoth(old: Suite, current: Suite): Service[] {
  const names = current.services.map(({ name }) => name);
  return [...current.services, ...old.services.filter(({ name }) => !names.includes(name))];
}
