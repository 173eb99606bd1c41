import { basename } from 'node:path';
import type { PlannedServer } from '../plan/planned-server.ts';
import { type PackageJson, readPackageJson } from '../software/packages.ts';

/** What is read of a server. */
type Started = Pick<PlannedServer, 'command' | 'env' | 'cwd'>;

/**
 * What in a line says that a server watches its files, or is in development mode: both cost. To add
 * a sign, add a pattern. What precedes a word may be the folder of a program.
 */
const SIGNS: readonly RegExp[] = [
  /(?<=\s|^)--(?:watch|hot)(?:-[a-z-]+)?(?=[=\s]|$)/,
  /(?<=[\s/]|^)(?:nodemon|node-dev|ts-node-dev|tsnd|air)(?=\s|$)/,
  // The command of a program, and no value of an option.
  /(?<=[\s/]|^)\w[\w.-]* (?:dev|develop|watch)(?=\s|$)/,
  /(?<=[\s/]|^)vite(?: serve)?(?=\s+-|\s*$)/,
  /(?<=[\s/]|^)(?:uvicorn|gunicorn|hypercorn)(?=\s.*\s--reload(?:\s|$))/,
  /(?<=[\s/]|^)flask(?=\s.*\s?--debug(?:\s|$))/,
  /(?<=[\s/]|^)manage\.py runserver(?=\s|$)/,
  /(?<=[\s]|^)\w*(?:_ENV|ENVIRONMENT)=dev(?:elopment)?(?=\s|$)/i,
];

/** What runs a script of package.json, and the name of that script. */
const SCRIPT = /^(?:npm|pnpm|yarn|bun|node)(?: run(?:-script)?| --run)? (?:-\S+ )*([\w:.-]+)(.*)$/s;

/**
 * Returns what tells that a server watches its files, or runs in development mode, in words such as
 * `--watch`; null if nothing does.
 */
export function developmentSignOf({ command, env, cwd }: Started): string | null {
  // NODE_ENV is production, whatever a suite says.
  const { NODE_ENV: _, ...variables } = env;
  const assignments = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return (
    signIn(assignments.join(' ')) ?? signOfLine(lineOf(command), readPackageJson(cwd).scripts ?? {})
  );
}

/** Returns the command as one line, its program without a folder. */
function lineOf([program = '', ...args]: readonly string[]): string {
  return [basename(program), ...args].join(' ');
}

/** No script calls itself. */
function signOfLine(line: string, scripts: NonNullable<PackageJson['scripts']>): string | null {
  const [, name = '', rest = ''] = SCRIPT.exec(line) ?? [];
  const { [name]: script, ...others } = scripts;
  if (script === undefined) return signIn(line);
  const sign = signOfLine(`${script}${rest}`, others);
  return sign && `"${name}" of package.json: ${sign}`;
}

function signIn(line: string): string | null {
  for (const pattern of SIGNS) {
    const [found] = pattern.exec(line) ?? [];
    if (found !== undefined) return found;
  }
  return null;
}
