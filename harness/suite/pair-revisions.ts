import { type Names, scenariosOf, select, skippedFor } from './select.ts';
import { type Exchange, ONLY_TASK, type Scenario, type Suite, type SuiteTask } from './suite.ts';

/** A suite as one revision has it, and what the user calls that revision. */
export type Revision = { title: string; suite: Suite };

/**
 * The suite that measures two revisions in pairs: a task for each scenario of each task, in which the old one is the
 * baseline. Each starts as its revision says; both get the requests of the new one. What the old one lacks is skipped.
 * @throws Problem for a name that the new suite does not have.
 */
export function pairRevisions(old: Revision, current: Revision, names: Names): Suite {
  const [before, after] = [renamed(old, 'old'), renamed(current, 'new')];
  const tasks: SuiteTask[] = [];
  const skipped = [...current.suite.skipped];
  for (const task of select(current.suite, names).tasks) {
    const oldTask = old.suite.tasks.find(({ name }) => name === task.name);
    for (const { name, title } of task.scenarios.filter(
      (each) => names.scenarios?.includes(each.name) ?? true,
    )) {
      const labels =
        task.name === ONLY_TASK
          ? { name, title }
          : { name: `${task.name}.${name}`, title: `${task.title}, ${title}` };
      const isInOld = scenariosOf(oldTask ? [oldTask] : []).some((each) => each.name === name);
      const baseline = isInOld ? before.get(name) : undefined;
      const exchanges = recordedBy(name, oldTask?.exchanges ?? [], task.exchanges);
      const warmUp = recordedBy(name, oldTask?.warmUp ?? [], task.warmUp);
      const scenarios = [after.get(name) as Scenario];
      if (!baseline) skipped.push(skippedFor(labels.title, `it is not in ${old.title}`));
      else
        tasks.push({
          ...task,
          ...labels,
          exchanges,
          warmUp,
          baseline,
          scenarios,
          value: undefined,
        });
    }
  }
  // One from before the suite said how to build is built in the same way.
  const asNew = current.suite.prepare.map(({ command }) => ({ command, cwd: old.suite.cwd }));
  const prepare = [
    ...(old.suite.prepare.length > 0 ? old.suite.prepare : asNew),
    ...current.suite.prepare,
  ];
  const { services } = current.suite;
  const gone = old.suite.services.filter(
    ({ name }) => !services.some((each) => each.name === name),
  );
  return {
    ...current.suite,
    prepare,
    tasks,
    skipped,
    services: [...services, ...gone],
    isLadder: false,
  };
}

/** The scenarios of a revision by their names, with names and titles that tell them from those of the other. */
function renamed({ title, suite }: Revision, which: string): Map<string, Scenario> {
  const changed = ({ cwd = suite.cwd, ...scenario }: Scenario): Scenario => {
    // A line of what changed at each value of a sweep would mean nothing to anybody.
    return {
      ...scenario,
      name: `${scenario.name}.${which}`,
      title,
      cwd,
      trueCostUs: undefined,
      value: undefined,
    };
  };
  return new Map(scenariosOf(suite.tasks).map((scenario) => [scenario.name, changed(scenario)]));
}

/** The exchanges with what each revision says of the scenario at that path, under both of its new names. */
function recordedBy(scenario: string, old: Exchange[], current: Exchange[]): Exchange[] {
  const placeOf = ({ request }: Exchange) => `${request.method} ${request.path}`;
  return current.map((each) => {
    const isSame = (other: Exchange) => Bun.deepEquals(other.request, each.request);
    const before = old.find(isSame) ?? old.find((other) => placeOf(other) === placeOf(each));
    const claims = {
      [`${scenario}.old`]: before?.telemetry[scenario],
      [`${scenario}.new`]: each.telemetry[scenario],
    };
    return { ...each, telemetry: claims as Exchange['telemetry'] };
  });
}
