import type { Result } from '../results/schema.ts';
import { taskResults } from './tasks.ts';

/** What two results must share for their difference to come from what is measured. One line each; none where they do. */
export function differences(old: Result, current: Result): string[] {
  const before = traits(old);
  const after = traits(current);
  // What only one of them tells of is no difference: an older file says less. A package that came or went is.
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => name.startsWith('package ') || (before.has(name) && after.has(name)),
  );
  return names
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name}: ${short(before.get(name))} / ${short(after.get(name))}`);
}

function traits(result: Result): Map<string, string> {
  const { environment, tool, suite, configuration, pinning } = result;
  const { cpu, cores, memoryBytes, kernel, virtualization, runtime, packages } = environment;
  const host = [cpu, `${cores} cores`, `${(memoryBytes / 1024 ** 3).toFixed(0)} GiB`, virtualization];
  const of = <T>(what: string, all: T[], name: (each: T) => string, value: (each: T) => unknown) =>
    all.map((each): [string, string] => [`${what} ${name(each)}`, JSON.stringify(value(each))]);
  const tasks = taskResults(result).map(({ task }) => task);
  return new Map([
    ['machine', host.filter(Boolean).join(', ')],
    ['kernel', kernel],
    ['pinning', 'serverCore' in pinning ? 'pinned' : 'not pinned'],
    ['load tool', `${tool.name} ${tool.version}`],
    ['suite', suite.name],
    ['connections', String(configuration.connections)],
    ['runtime', `${runtime.name} ${runtime.version} (${runtime.revision})`],
    ...Object.entries(packages).map(([name, version]): [string, string] => [`package ${name}`, version]),
    ...of(
      'command of',
      suite.scenarios,
      ({ name }) => name,
      ({ command }) => command,
    ),
    ...of(
      'baseline of',
      tasks,
      ({ name }) => name,
      ({ baseline }) => baseline,
    ),
    ...of(
      'requests of',
      tasks.filter(({ requests }) => requests.length > 0),
      ({ name }) => name,
      ({ requests }) => requests,
    ),
  ]);
}

function short(text: string | undefined): string {
  if (text === undefined) return 'none';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
