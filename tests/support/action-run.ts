// A run of the action (action.yml) as a runner of GitHub does it: its steps in order, each with the
// environment that action.yml gives it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './short-runs.ts';
import type { Workplace } from './workplace.ts';

/** What this project uses of the file of a composite action. */
export interface ActionFile {
  inputs: Record<string, { description: string; default: string }>;
  outputs: Record<string, { description: string; value: string }>;
  runs: { using: string; steps: ActionStep[] };
}

interface ActionStep {
  id?: string;
  if?: string;
  uses?: string;
  shell?: string;
  run?: string;
  env?: Record<string, string>;
  with?: Record<string, string>;
}

/** What the event of a workflow says, by the names that expressions have for it. */
export type GithubEvent = Record<string, string>;

/** What a run of the action came to. */
export interface ActionRun {
  /** The exit status of the step that measures. */
  status: number;
  /** What its steps printed. */
  output: string;
  outputs: Record<string, string>;
  /** The summary of the job. */
  summary: string;
  /** The calls of gh, one a line. */
  calls: string[];
}

/** A push to main, and what a runner sets with it. */
export const PUSH: GithubEvent = { 'github.event.before': '0'.repeat(40) };

/** A pull request of the same repository. */
export const PULL_REQUEST: GithubEvent = {
  'github.event.pull_request.number': '5',
  'github.event.pull_request.head.repo.full_name': 'someone/shop',
  'github.event.pull_request.head.sha': 'f00d',
};

export function actionFile(): ActionFile {
  return Bun.YAML.parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as ActionFile;
}

/**
 * Runs the action in the folder `checkout` of a workplace.
 * @param inputs those that differ from their defaults
 * @param env what tests set beside it
 */
export function runAction(
  place: Workplace,
  event: GithubEvent,
  inputs: Record<string, string> = {},
  env: Record<string, string> = {},
): ActionRun {
  const files = {
    GITHUB_OUTPUT: place.write('output', ''),
    GITHUB_STEP_SUMMARY: place.write('summary', ''),
    GH_CALLS: place.write('calls', ''),
  };
  const variables = { ...runnerVariables(place), ...files, ...env };
  const known = valuesOf(event, inputs);
  let status: number | undefined;
  let output = '';
  for (const step of actionFile().runs.steps) {
    if (step.run === undefined) continue;
    const outputs = outputsIn(files.GITHUB_OUTPUT);
    const stepEnv = Object.entries(step.env ?? {}).map(([name, value]) => [
      name,
      evaluated(value, { ...known, ...outputs }),
    ]);
    const { exitCode, stdout, stderr } = Bun.spawnSync(['bash', '-e', '-c', step.run], {
      cwd: place.path('checkout'),
      env: { ...process.env, ...variables, ...Object.fromEntries(stepEnv) },
    });
    output += `${stdout}${stderr}`;
    status ??= exitCode;
  }
  return {
    status: status ?? -1,
    output,
    outputs: Object.fromEntries(
      Object.entries(actionFile().outputs).map(([name, { value }]) => [
        name,
        evaluated(value, outputsIn(files.GITHUB_OUTPUT)),
      ]),
    ),
    summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'),
    calls: readFileSync(files.GH_CALLS, 'utf8').trim().split('\n').filter(Boolean),
  };
}

/** What a runner sets for every step. */
function runnerVariables(place: Workplace): Record<string, string> {
  return {
    GITHUB_ACTION_PATH: ROOT,
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_REPOSITORY: 'someone/shop',
    GITHUB_RUN_ID: '77',
    GITHUB_BASE_REF: '',
    GITHUB_SHA: place.git('-C', 'checkout', 'rev-parse', 'HEAD'),
    RUNNER_TEMP: place.path('runner'),
    PATH: `${place.path('bin')}:${process.env.PATH}`,
  };
}

function valuesOf(event: GithubEvent, inputs: Record<string, string>): Record<string, string> {
  const defaults = Object.entries(actionFile().inputs).map(([name, input]) => [
    `inputs.${name}`,
    inputs[name] ?? evaluated(input.default, { 'github.token': 'a-token' }),
  ]);
  return { 'github.sha': 'cafe', ...Object.fromEntries(defaults), ...event };
}

/** What the step that measures has put out. */
function outputsIn(file: string): Record<string, string> {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf('=');
      return [`steps.measure.outputs.${line.slice(0, at)}`, line.slice(at + 1)];
    }),
  );
}

/** As GitHub evaluates an expression: what is not there is empty, and `||` takes the first. */
function evaluated(value: string, known: Record<string, string>): string {
  return value.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => {
    const names = expression.split(' || ');
    for (const name of names)
      if (!/^(inputs|github|steps)\.[\w.-]+$/.test(name)) throw new Error(`what is ${name}?`);
    return names.map((name) => known[name] ?? '').find((text) => text !== '') ?? '';
  });
}
