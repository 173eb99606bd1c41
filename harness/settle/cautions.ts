import type { PlannedRow } from '../plan/plan.ts';
import type { PlannedServer } from '../plan/planned-server.ts';
import { serversOfRows } from '../plan/rows.ts';
import { developmentSignOf } from '../server/development-mode.ts';
import { scenariosOf } from '../suite/select.ts';
import type { Scenario, Suite } from '../suite/suite.ts';
import { listed } from '../words/text.ts';

/** Names of variables, options and properties whose value an SDK may want as a URL. */
const NAMES_URL = /(?:endpoint|ur[li])$/i;

/** A setting of a server, in its variables or in a word of its command. */
interface ServerSetting {
  name: string;
  value: string;
}

/**
 * Returns sentences on what a suite says that most likely is not meant: none of it is an error.
 * @param rows those of the suite, if it is to be measured
 */
export function cautionsOf(suite: Suite, rows: readonly PlannedRow[]): string[] {
  return [
    ...scenariosOf(suite.tasks).flatMap(barePlacesOfSink),
    ...scenariosOf(suite.tasks).flatMap(unusedMode),
    ...serversOfRows(rows).flatMap(developmentMode),
  ];
}

/**
 * Returns a sentence for scenarios of a task that start equal servers. It is no error: a user may
 * want to see the noise.
 * @param rows those of the suite
 */
export function equalServers(suite: Suite, rows: readonly PlannedRow[]): string[] {
  const titles = new Map(scenariosOf(suite.tasks).map(({ name, title }) => [name, title]));
  const tasks = [...Map.groupBy(rows, ({ task }) => task.name).values()];
  const sentences = tasks.flatMap(equalServersIn).map((servers) => {
    const names = listed(servers.map(({ name }) => titles.get(name) ?? name));
    return `${names} start the same server (equal command, env and cwd): a difference is noise.`;
  });
  return [...new Set(sentences)];
}

/** Returns the servers of a task that are started alike, two or more of each kind. */
function equalServersIn(rows: readonly PlannedRow[]): PlannedServer[][] {
  const groups = [...Map.groupBy(serversOfRows(rows), startOf).values()];
  return groups.filter(({ length }) => length > 1);
}

/** Returns a text that is equal for two servers that are started alike. */
function startOf({ command, env, cwd, sink, receiver }: PlannedServer): string {
  const sorted = Object.entries(env).sort();
  return JSON.stringify([command, sorted, cwd, sink, receiver]);
}

/** Without its scheme, an SDK takes an address for none, and sends to its default in silence. */
function barePlacesOfSink({ name, command, env }: Scenario): string[] {
  const settings = [...command.flatMap(settingIn), ...Object.entries(env).map(asSetting)];
  return settings
    .filter((setting) => NAMES_URL.test(setting.name) && setting.value.startsWith('{sink}'))
    .map((setting) => {
      const { name: variable, value } = setting;
      return (
        `Scenario ${name} has ${variable}=${value} without a scheme, ` +
        `which most SDKs ignore. Write http://${value}, unless the server wants host and port.`
      );
    });
}

/** Returns the setting that a word of a command makes, such as `--endpoint=x` or `-Da.url=x`. */
function settingIn(word: string): ServerSetting[] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
  return name === undefined || value === undefined ? [] : [{ name, value }];
}

function asSetting([name, value]: [name: string, value: string]): ServerSetting {
  return { name, value };
}

function unusedMode({ name, env }: Scenario): string[] {
  const { NODE_ENV: mode = 'production' } = env;
  if (mode === 'production') return [];
  return [`NODE_ENV=${mode} of scenario ${name} is not used: servers get NODE_ENV=production.`];
}

function developmentMode(server: PlannedServer): string[] {
  const sign = developmentSignOf(server);
  if (sign === null) return [];
  return [
    `Scenario ${server.name} starts in watch or development mode (${sign}). ` +
      'Start it as in production.',
  ];
}
