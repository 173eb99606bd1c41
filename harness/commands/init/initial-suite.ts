/**
 * What `init` writes is decided here: the folder of a project goes in, a suite to be filled in
 * comes out. It reads `package.json` for the start, and follows what the server loads for its
 * tracers. Nothing is run, and nothing is written here.
 */
import { basename } from 'node:path';
import { FILL_IN } from '../../suite/read-suite.ts';
import { type LoadedTracer, tracersIn, withoutPreloads } from './loaded-tracers.ts';
import { projectIn, type StartCommand } from './start-command.ts';
import type { Tracer } from './tracers.ts';

/** A suite as `init` writes it. Texts that begin with `FILL IN` are for the user to replace. */
export interface InitialSuite {
  name: string;
  cwd: string;
  prepare?: string[][];
  request: { path: string };
  baseline: string;
  remarks?: string[];
  scenarios: InitialScenario[];
}

interface InitialScenario {
  name: string;
  title: string;
  command: string[];
  env?: Record<string, string>;
  switchedOff?: boolean;
  /** An empty claim: it records nothing. */
  telemetry?: Record<string, never>;
}

const DEFAULT_NAME = 'mine';
const COMMAND =
  'the program that starts your server in production, and its arguments, ' +
  'each a string of its own, such as node server.js, or .venv/bin/uvicorn main:app --port {port}';
const INSTEAD = 'by variables in place of this one; or change the command';
const OFF = `what switches your instrumentation off, ${INSTEAD}`;
const ON =
  'what switches it on, and says where it sends ' +
  `("OTEL_EXPORTER_OTLP_ENDPOINT": "http://{sink}"), ${INSTEAD}`;
const PATH = 'the path of a request, such as /';

/**
 * Returns a suite with what is known of the project in the folder. What is not known is to be
 * filled in.
 * @throws Problem if package.json can't be read
 */
export async function initialSuiteFor(folder: string): Promise<InitialSuite> {
  const { name, said, start = unknownStart(said) } = await projectIn(folder);
  const tracers = tracersIn(folder, start);
  const scenarios =
    tracers.length === 0 ? unknownTracer(start) : scenariosOf(folder, start, tracers);
  const [baseline] = scenarios as [InitialScenario];
  const isOnlyDisabled = baseline.switchedOff === true;
  return {
    name: suiteName(name || basename(folder)),
    cwd: '..',
    ...(start.prepare.length > 0 && { prepare: start.prepare }),
    request: { path: fillIn(PATH) },
    baseline: baseline.name,
    ...(isOnlyDisabled && { remarks: [disabledBaseline(tracers)] }),
    scenarios,
  };
}

/** A name of a suite is part of file names. */
function suiteName(name: string): string {
  return name.replace(/[^\w.-]+/g, '-') || DEFAULT_NAME;
}

function unknownStart(said: string | undefined): StartCommand {
  const beside = said === undefined ? '' : ` (${said})`;
  return { prepare: [], env: {}, command: [fillIn(COMMAND) + beside] };
}

/** Scenarios whose instrumentation is not known. */
function unknownTracer(start: StartCommand): InitialScenario[] {
  return [
    {
      ...scenario('without', 'Without instrumentation', start, askFor(OFF)),
      telemetry: {},
    },
    scenario('with', 'With instrumentation', start, askFor(ON)),
  ];
}

/** Scenarios without these tracers if a preload starts them, with them disabled, and with them. */
function scenariosOf(
  folder: string,
  start: StartCommand,
  tracers: LoadedTracer[],
): InitialScenario[] {
  const title = titleOf(tracers);
  const disabling = mergeVariables(tracers.map(({ off }) => off));
  const enabling = mergeVariables([
    askFor(tracers.map(questionOfAddress).join('; ')),
    ...tracers.map(({ on = {} }) => on),
  ]);
  return [
    ...absentScenarios(folder, start, tracers),
    {
      ...scenario('disabled', `${title}, disabled`, start, disabling),
      switchedOff: true,
      telemetry: {},
    },
    scenario('with', `With ${title}`, start, enabling),
  ];
}

/** Returns the scenario that starts no tracer; none if that takes a change of code. */
function absentScenarios(
  folder: string,
  start: StartCommand,
  tracers: LoadedTracer[],
): InitialScenario[] {
  const bareStart = withoutPreloads(folder, start);
  const left = tracersIn(folder, bareStart);
  const isAnyStarted = (all: LoadedTracer[]) => all.some(({ isStarted }) => isStarted);
  if (!isAnyStarted(tracers) || isAnyStarted(left)) return [];
  // Code may still call what is not started.
  const isLoaded = left.length > 0;
  const title = isLoaded ? `${titleOf(tracers)}, not started` : `Without ${titleOf(tracers)}`;
  return [{ ...scenario('absent', title, bareStart), telemetry: {} }];
}

function scenario(
  name: string,
  title: string,
  start: StartCommand,
  variables: Record<string, string> = {},
): InitialScenario {
  const env = { ...start.env, ...variables };
  const hasVariables = Object.keys(env).length > 0;
  return { name, title, command: start.command, ...(hasVariables && { env }) };
}

function mergeVariables(variables: Record<string, string>[]): Record<string, string> {
  return Object.assign({}, ...variables);
}

function titleOf(tracers: Tracer[]): string {
  return tracers.map(({ title }) => title).join(' and ');
}

function disabledBaseline(tracers: Tracer[]): string {
  return `The baseline loads ${titleOf(tracers)}, and pays for that: it is only disabled.`;
}

/** Code that holds the address goes before a variable. */
function questionOfAddress({ title, on }: Tracer): string {
  if (!on) return `what says where ${title} sends, ${INSTEAD}`;
  const [variable] = Object.keys(on);
  return `let ${variable}, not your code, say where ${title} sends, and delete this line`;
}

/** Returns a variable in place of those that nobody knows. */
function askFor(what: string): Record<string, string> {
  return { FILL_IN: fillIn(what) };
}

function fillIn(what: string): string {
  return `${FILL_IN}: ${what}`;
}
