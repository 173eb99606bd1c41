import { nameInRevision, revisionName } from '../result/revision-names.ts';
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

/** The revisions of a suite that are compared: each of the others with the old one. */
export interface Revisions {
  old: Revision;
  others: readonly Revision[];
  /**
   * Names of scenarios that are alike in all revisions, such as a baseline without the package of
   * which versions are compared; empty if nobody knows.
   */
  unchanged: readonly string[];
}

/** One revision, and what its scenarios become in the suite that has all. */
interface RenamedRevision {
  tasks: readonly SuiteTask[];
  /** By the names that they had. */
  scenarios: Map<string, Scenario>;
}

/** A scenario as one revision has it, and the task in which it is there. */
interface ScenarioOfRevision {
  scenario: Scenario;
  task: SuiteTask;
}

/**
 * Returns the suite that measures revisions in pairs: a task for each scenario of each task, in
 * which the old one is the baseline of the others. Each starts as its revision says; all get the
 * requests of the first of the others. What the old one lacks is skipped, and so is what that one
 * lacks. Where names are given, only those count. An unchanged baseline is a row in the tasks of
 * scenarios that are not: it shows what these cost at all.
 * @throws Problem for a name that the new suite does not have
 */
export function pairRevisions(revisions: Revisions, names: WantedNames): Suite {
  const { old, others, unchanged } = revisions;
  const suites = others.map(({ suite }) => suite);
  const [current = old.suite] = suites;
  const renamed = renamedRevisions(revisions);
  const tasks: SuiteTask[] = [];
  const missing: Skipped[] = [];
  for (const task of select(current, names).tasks)
    for (const scenario of wantedScenarios(task, names, unchanged)) {
      const paired = pairScenario(renamed, task, scenario, unchanged);
      if (paired) tasks.push(paired);
      else missing.push(skippedWhole(labelsOf(task, scenario).title, `not in ${old.title}`));
    }
  return {
    ...current,
    comparesRevisions: true,
    isLadder: false,
    prepare: preparationOfAll(old.suite, suites),
    services: servicesOfAll(old.suite, suites),
    tasks,
    skipped: [...current.skipped, ...missing, ...goneIn(revisions, names)],
  };
}

/** Returns what the old revision has of what is wanted, and the first of the others has no more. */
function goneIn({ old, others, unchanged }: Revisions, names: WantedNames): Skipped[] {
  const [current = old] = others;
  const isGone = (task: SuiteTask, scenario: Scenario) =>
    !current.suite.tasks.some((each) => each.name === task.name && hasScenario(each, scenario));
  const tasks = select(old.suite, {}).tasks.filter(
    ({ name }) => names.tasks?.includes(name) ?? true,
  );
  return tasks.flatMap((task) =>
    wantedScenarios(task, names, unchanged)
      .filter((scenario) => isGone(task, scenario))
      .map((scenario) => skippedWhole(labelsOf(task, scenario).title, `not in ${current.title}`)),
  );
}

/** Returns the revisions with names of their own, the old one first. */
function renamedRevisions({ old, others, unchanged }: Revisions): RenamedRevision[] {
  const nameOf = (index: number) => revisionName(index, others.length + 1);
  return [
    renameScenarios(old, nameOf(0), unchanged),
    ...others.map((each, index) => renameScenarios(each, nameOf(index + 1), [])),
  ];
}

/**
 * Returns the task that compares a scenario of a task in all revisions; undefined if the old one
 * lacks it there.
 */
function pairScenario(
  [old, ...others]: readonly RenamedRevision[],
  task: SuiteTask,
  scenario: Scenario,
  unchanged: readonly string[],
): SuiteTask | undefined {
  const before = scenarioOf(old, task, scenario);
  const after = others.flatMap((revision) => scenarioOf(revision, task, scenario) ?? []);
  if (before === undefined || after.length === 0) return undefined;
  const hasFloor = unchanged.includes(task.baseline.name) && !unchanged.includes(scenario.name);
  const floor = hasFloor ? scenarioOf(old, task, task.baseline) : undefined;
  const rows = floor ? [floor, ...after] : after;
  const all = [before, ...rows];
  return {
    ...task,
    ...labelsOf(task, scenario),
    exchanges: task.exchanges.map((exchange) => withClaims(exchange, 'exchanges', all)),
    warmUp: task.warmUp.map((exchange) => withClaims(exchange, 'warmUp', all)),
    baseline: before.scenario,
    scenarios: rows.map((row) => row.scenario),
    // What changed at each value of a sweep makes no line.
    value: undefined,
  };
}

/** Returns the scenario of a task as a revision has it; undefined if that one lacks it there. */
function scenarioOf(
  revision: RenamedRevision | undefined,
  { name }: SuiteTask,
  scenario: Scenario,
): ScenarioOfRevision | undefined {
  const task = revision?.tasks.find((each) => each.name === name);
  if (task === undefined || !hasScenario(task, scenario)) return undefined;
  const found = revision?.scenarios.get(scenario.name);
  return found && { scenario: found, task };
}

/**
 * Returns the scenarios of a task that get a task of their own: an unchanged baseline only if it is
 * named, or if no other is changed.
 */
function wantedScenarios(
  task: SuiteTask,
  names: WantedNames,
  unchanged: readonly string[],
): Scenario[] {
  const { scenarios: wanted } = names;
  if (wanted) return task.scenarios.filter(({ name }) => wanted.includes(name));
  const hasChanged = task.scenarios.some(({ name }) => !unchanged.includes(name));
  const isFloor = (scenario: Scenario) =>
    hasChanged && scenario === task.baseline && unchanged.includes(scenario.name);
  return task.scenarios.filter((scenario) => !isFloor(scenario));
}

function labelsOf(task: SuiteTask, { name, title }: Scenario): Pick<SuiteTask, 'name' | 'title'> {
  if (task.name === ONLY_TASK) return { name, title };
  return { name: `${task.name}.${name}`, title: `${task.title}, ${title}` };
}

function hasScenario(task: SuiteTask, { name }: Scenario): boolean {
  return scenariosOf([task]).some((each) => each.name === name);
}

/**
 * Gives a revision's scenarios names and titles that tell them from those of the others. Unchanged
 * ones keep their titles.
 */
function renameScenarios(
  { title, suite }: Revision,
  revision: string,
  unchanged: readonly string[],
): RenamedRevision {
  const scenarios = new Map<string, Scenario>();
  for (const scenario of scenariosOf(suite.tasks))
    scenarios.set(scenario.name, {
      ...scenario,
      name: nameInRevision(scenario.name, revision),
      title: unchanged.includes(scenario.name) ? scenario.title : title,
      revisionOf: scenario.name,
      cwd: scenario.cwd ?? suite.cwd,
      trueCostUs: undefined,
      value: undefined,
    });
  return { tasks: suite.tasks, scenarios };
}

/**
 * Returns the exchange, with what each revision claims of its scenario under the name that it has
 * there.
 */
function withClaims(
  exchange: Exchange,
  kind: 'exchanges' | 'warmUp',
  scenarios: readonly ScenarioOfRevision[],
): Exchange {
  const claims = scenarios.flatMap(({ scenario, task }) => {
    const claim = counterpartOf(exchange, task[kind])?.telemetry[scenario.revisionOf ?? ''];
    return claim ? [[scenario.name, claim] as const] : [];
  });
  return { ...exchange, telemetry: Object.fromEntries(claims) };
}

/**
 * Returns the exchange itself if a revision has it, else the one with the same request, or else
 * with the same method and path.
 */
function counterpartOf(exchange: Exchange, all: readonly Exchange[]): Exchange | undefined {
  const { request } = exchange;
  return (
    all.find((other) => other === exchange) ??
    all.find((other) => Bun.deepEquals(other.request, request)) ??
    all.find(
      (other) => other.request.method === request.method && other.request.path === request.path,
    )
  );
}

/** An old suite that does not say how to build is built as the new one says. */
function preparationOfAll(old: Suite, others: readonly Suite[]): Preparation[] {
  const [current = old] = others;
  const asNew = current.prepare.map(({ command }) => ({ command, cwd: old.cwd }));
  return [
    ...(old.prepare.length > 0 ? old.prepare : asNew),
    ...others.flatMap(({ prepare }) => prepare),
  ];
}

/** Returns the services of all; of those with the same name that of the first new suite. */
function servicesOfAll(old: Suite, others: readonly Suite[]): Service[] {
  const byName = Map.groupBy(
    [...others, old].flatMap(({ services }) => services),
    ({ name }) => name,
  );
  return [...byName.values()].flatMap(([first]) => first ?? []);
}
