// What scripts/setup.sh says and does on machines that lack something. Programs are fakes; nothing
// is installed.
import { expect, test } from 'bun:test';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../support/short-runs.ts';
import { Workplace } from '../support/workplace.ts';

const BUN = 'case $1 in --version) echo 1.4.5;; install) mkdir -p node_modules;; *) exit 1;; esac';
const APT = 'echo "apt-get $*" >> calls';
/** What a fresh machine may have or not. */
const OPTIONAL = ['bun', 'bunx', 'npm', 'go', 'brew', 'apt-get', 'sudo'];

/**
 * A clone with these programs before those of the system; `setup` returns what a run of its set-up
 * says.
 */
function clone(programs: Record<string, string>) {
  const place = new Workplace();
  cpSync(join(ROOT, 'scripts'), place.path('scripts'), { recursive: true });
  place.write('bun.lock', '');
  for (const [name, script] of Object.entries({ id: 'echo 0', ...programs }))
    place.write(name, `#!/bin/sh\n${script}\n`, 0o755);
  mkdirSync(place.path('system'));
  for (const folder of ['/bin', '/usr/bin'])
    for (const name of readdirSync(folder))
      if (!OPTIONAL.includes(name) && !existsSync(place.path(`system/${name}`)))
        symlinkSync(join(folder, name), place.path(`system/${name}`));
  const setup = (args: string[] = [], more = '') => {
    const env = { PATH: `${place.folder}:${place.path('system')}${more}`, HOME: place.folder };
    const argv = ['bash', 'scripts/setup.sh', ...args];
    const { exitCode, stdout, stderr } = Bun.spawnSync(argv, { cwd: place.folder, env });
    return { status: exitCode, said: `${stdout}${stderr}` };
  };
  return Object.assign(place, { setup });
}

test("npm's reason is shown if Bun can't be installed", async () => {
  const errors = [
    'code E404',
    '404 Not Found - GET http://registry/bun',
    '',
    'A complete log of this run',
  ];
  const npm = `printf '%s\\n' 'npm warn old' ${errors.map((line) => `'npm error ${line}'`).join(' ')} >&2; exit 1`;
  await using place = clone({ npm });
  const { status, said } = place.setup();
  expect(status).toBe(1);
  expect(said).toMatch(
    /npm could not install bun@[\d.]+: code E404 404 Not Found - GET http\S+ .*npm\.log/,
  );
});

test('what is installed outside of the project is said first, and --no-system refuses it', async () => {
  await using place = clone({ bun: BUN, 'apt-get': APT });
  const refused = 'wrk is not installed, because of --no-system';
  expect(place.setup(['--no-system'])).toMatchObject({
    status: 1,
    said: expect.stringContaining(refused),
  });
  expect(place.setup().said).toContain('because of --no-system');
  expect(existsSync(place.path('calls'))).toBe(false);
  await Bun.file(place.path('.tools/no-system')).delete();
  expect(place.setup().said).toContain('outside of the project: installing wrk with apt-get');
  expect(readFileSync(place.path('calls'), 'utf8')).toBe(
    'apt-get install -y -qq -o DPkg::Lock::Timeout=120 wrk\n',
  );
});

test("the set-up's own link to Bun may be on PATH, in whatever place", async () => {
  await using place = clone({});
  const installed = place.write('.tools/bun/node_modules/.bin/bun', `#!/bin/sh\n${BUN}\n`, 0o755);
  const link = place.path('.tools/bin/bun');
  mkdirSync(dirname(link));
  symlinkSync(installed, link);
  for (const own of ['.tools/bin', `${dirname(link)}/`]) {
    expect(place.setup([], `:${own}`).said).not.toContain('Bun 1.4.0 or newer');
    expect(readlinkSync(link)).toBe(installed);
  }
});

test('bombardier is installed with its version, and tried again while there is no load tool', async () => {
  await using place = clone({ bun: BUN, go: 'echo "$GOBIN $*" >> calls; exit 1', 'apt-get': APT });
  place.write('.tools/no-bombardier-v1.2.5', '');
  for (const _ of ['first', 'again']) place.setup(['--no-system']);
  expect(readFileSync(place.path('calls'), 'utf8')).toMatch(
    /^(?:\S*\/\.tools\/bin install -ldflags -X main\.version=v1\.2\.6 github\.com\/codesenberg\/bombardier@v1\.2\.6\n){2}$/,
  );
});

test('scripts find their clone whatever CDPATH says', async () => {
  const bun = `case $1 in */find.ts) echo a tool;; --config=*) echo "$2";; ${BUN.replace('case $1 in', '')}`;
  await using place = clone({ bun });
  const env = { PATH: `${place.folder}:/usr/bin:/bin`, HOME: place.folder, CDPATH: '.' };
  const run = Bun.spawnSync(['bash', 'scripts/bench.sh'], { cwd: place.folder, env });
  expect(String(run.stdout)).toBe(`${place.path('harness/cli.ts')}\n`);
});

test('an option that is none is refused', async () => {
  await using place = clone({});
  const said =
    'setup: there is no option --yes, only --no-system, --with-locust and --packages-only\n';
  expect(place.setup(['--yes'])).toEqual({ status: 2, said });
});
