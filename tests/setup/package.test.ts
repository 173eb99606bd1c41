// tracetax as a package: packed, installed into an empty project, and called there.
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HI, server } from '../../harness/testing/sources.ts';
import { collectOutput } from '../support/processes.ts';
import { parseTable } from '../support/results.ts';
import { ROOT } from '../support/short-runs.ts';
import { TEST_TIMEOUT_MS, Workplace } from '../support/workplace.ts';

setDefaultTimeout(TEST_TIMEOUT_MS);

/** So much a project may have to take in. */
const MAX_PACKAGES = 40;
/** Without Bun itself. */
const MAX_BYTES = 20e6;
/** Of the packed file. */
const MAX_PACKED_BYTES = 500e3;
/** What whoever installs it may use as they like. */
const PERMISSIVE = ['MIT', 'ISC', 'BSD-3-Clause', 'Apache-2.0'];
/** A registry that is not there: publishing is only tried. */
const NO_REGISTRY = 'http://127.0.0.1:9/';

const place = new Workplace();
afterAll(() => place[Symbol.asyncDispose]());
const project = place.path('project');
const modules = join(project, 'node_modules');
const reason = install();

/**
 * Packs and installs. Returns why it can't be installed here, as without network if the cache has
 * no packages.
 */
function install(): string | undefined {
  const say = (cwd: string, ...argv: string[]) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(argv, {
      cwd,
      env: { ...process.env, BUN_OPTIONS: '' },
    });
    return exitCode === 0
      ? undefined
      : `${argv.join(' ')}: ${stdout}${stderr}`.trim().split('\n').at(-1);
  };
  place.write('project/package.json', '{ "name": "project", "type": "module", "private": true }');
  const packing = say(ROOT, 'bun', 'pm', 'pack', '--quiet', '--destination', place.folder);
  if (packing !== undefined) throw new Error(packing);
  return say(project, 'bun', 'add', '--dev', '--prefer-offline', packedFile());
}

function packedFile(): string {
  const name = readdirSync(place.folder).find((each) => each.endsWith('.tgz'));
  return place.path(String(name));
}

/** Returns the names of the packages that the project now has. */
function installedPackages(): string[] {
  const found = (folder: string) => [...new Bun.Glob(`${folder}/package.json`).scanSync(modules)];
  return ['*', '@*/*'].flatMap(found).map((manifest) => dirname(manifest));
}

/** Runs that in the project. */
function call(argv: string[], env = process.env) {
  return collectOutput(
    Bun.spawn(argv, { cwd: project, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' }),
  );
}

/** Of all files below a folder. */
function bytesIn(folder: string): number {
  const paths = [...new Bun.Glob('**/*').scanSync({ cwd: folder, dot: true })];
  return paths.reduce((sum, path) => sum + statSync(join(folder, path)).size, 0);
}

/** Returns the licence of an installed package, which may stand in a file alone. */
async function licenceOf(folder: string): Promise<string> {
  const { license } = await Bun.file(join(folder, 'package.json')).json();
  const [, file] = /^SEE LICENSE IN (\S+)$/.exec(license) ?? [];
  if (file === undefined) return license;
  const text = await Bun.file(join(folder, file)).text();
  return text.startsWith('The MIT License') ? 'MIT' : text.slice(0, 80);
}

test('npm would publish it, and has nothing to complain of but that nobody is logged in', async () => {
  const offline = ['--registry', NO_REGISTRY, '--fetch-retries', '0'];
  const publish = ['npm', 'publish', '--dry-run', '--ignore-scripts', ...offline];
  const { exitCode, stderr } = Bun.spawnSync(publish, { cwd: ROOT });
  const complaints = stderr.toString().split('\n');
  const isComplaint = (line: string) => /^npm (warn|error)/.test(line);
  expect({ exitCode, complaints: complaints.filter(isComplaint) }).toEqual({
    exitCode: 0,
    complaints: [expect.stringContaining('requires you to be logged in')],
  });
  expect(statSync(packedFile()).size).toBeLessThan(MAX_PACKED_BYTES);
});

test('package.json says what a registry shows, and the Bun that set-up asks for', async () => {
  const content = await Bun.file(join(ROOT, 'package.json')).json();
  const { keywords, engines, license, repository } = content;
  expect(keywords).toContain('opentelemetry');
  expect({ license, type: repository.type }).toEqual({ license: 'MIT', type: 'git' });
  // npm derives these from the repository: its address is to stand in one place.
  expect(content).not.toHaveProperty('homepage');
  expect(content).not.toHaveProperty('bugs');
  const setup = await Bun.file(join(ROOT, 'scripts/setup.sh')).text();
  const [, least] = /^BUN_AT_LEAST=(\S+)$/m.exec(setup) ?? [];
  expect(engines).toEqual({ node: '>=20', bun: `>=${least}` });
});

test('the change log has a section for each version, the newest first', async () => {
  const { version } = await Bun.file(join(ROOT, 'package.json')).json();
  const text = await Bun.file(join(ROOT, 'CHANGELOG.md')).text();
  const versions = [...text.matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading);
  expect(versions).toContain(version);
  expect(versions).toEqual(versions.toSorted(Bun.semver.order).reverse());
});

describe.skipIf(reason !== undefined)(
  `installed${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  () => {
    test('has few packages, none of those that the five servers need, and no tests', () => {
      const folders = installedPackages();
      expect(folders.length).toBeGreaterThan(1);
      expect(folders.length).toBeLessThanOrEqual(MAX_PACKAGES);
      expect(folders.filter((name) => /opentelemetry/.test(name))).toEqual([]);
      expect(bytesIn(modules) - bytesIn(join(modules, 'bun'))).toBeLessThan(MAX_BYTES);
      const files = [...new Bun.Glob('**/*').scanSync(join(modules, 'tracetax'))];
      expect(files.filter((name) => /\.test\.|fixtures|testing/.test(name))).toEqual([]);
      expect(files).toContain('docs/reference.md');
    });

    test('has its licence, and only packages that everybody may use', async () => {
      expect(await Bun.file(join(modules, 'tracetax/LICENSE')).exists()).toBe(true);
      for (const name of installedPackages()) {
        const licence = await licenceOf(join(modules, name));
        expect({ name, isPermissive: PERMISSIVE.includes(licence) }).toEqual({
          name,
          isPermissive: true,
        });
      }
    });

    test('npx starts it where Node is alone, and it says its version, what to do next, and what is to be filled in', async () => {
      mkdirSync(place.path('node'));
      for (const name of ['node', 'npx', 'sh', 'env'])
        symlinkSync(String(Bun.which(name)), place.path(`node/${name}`));
      const env = { PATH: place.path('node'), HOME: place.folder };
      const npx = (...args: string[]) => call(['npx', 'tracetax', ...args], env);
      const { version } = await Bun.file(join(ROOT, 'package.json')).json();
      expect(await npx('--version')).toMatchObject({ status: 0, stdout: `${version}\n` });
      const first = await npx();
      expect(first).toMatchObject({ status: 2, stdout: '' });
      expect(first.stderr.trimEnd().split('\n')).toEqual([
        expect.stringContaining('There is no suite here'),
        expect.stringContaining('npx tracetax init '),
        expect.stringContaining('npx tracetax setup '),
        expect.stringContaining('npx tracetax --quick '),
      ]);
      expect(await npx('init')).toMatchObject({
        status: 0,
        stderr: expect.stringContaining('npx tracetax prove with'),
      });
      expect(await npx('--dry-run')).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('FILL IN'),
      });
    });

    test('the servers of calibrate load without the packages of the five servers', async () => {
      const load =
        "await import('./node_modules/tracetax/suites/calibration/server.ts'); process.exit()";
      const found = await call(['bun', '-e', load], { ...process.env, BASE_US: '0', BURN_US: '0' });
      expect(found).toMatchObject({ status: 0 });
    });

    test('a suite in TypeScript is checked by its types', async () => {
      const content = "{ name: 'x', baseline: 'a', scenarios: [{ name: 'a', command: ['a'] }] }";
      const suite = `import type { SuiteInput } from 'tracetax/suite';\nexport default ${content} satisfies SuiteInput;`;
      const options = {
        strict: true,
        module: 'nodenext',
        target: 'esnext',
        noEmit: true,
        skipLibCheck: true,
        types: [],
      };
      place.write('project/tsconfig.json', { compilerOptions: options, include: ['typed.ts'] });
      const check = (text: string) => {
        place.write('project/typed.ts', text);
        return Bun.spawnSync([
          join(ROOT, 'node_modules/.bin/tsc'),
          '-p',
          project,
        ]).stdout.toString();
      };
      expect(check(suite)).toBe('');
      expect(check(suite.replace('baseline:', 'baselin:'))).toContain(
        "'baselin' does not exist in type",
      );
    });

    test('it compares two commits there, and messages name the command', async () => {
      const scenarios = ['a', 'b'].map((name) => ({ name, command: ['bun', `../${name}.ts`] }));
      const full = {
        pairs: 2,
        durationSeconds: 2,
        duetSlices: 1,
        warmupSeconds: 0,
        connections: 4,
      };
      const suite = { name: 'bench', baseline: 'a', scenarios, full };
      place.write('project/bench/suite.json', suite);
      for (const name of ['a', 'b']) place.write(`project/${name}.ts`, server(HI));
      place.write('project/.gitignore', 'node_modules\n');
      place.git('-C', project, 'init', '--quiet');
      for (const message of ['base', 'pull request']) {
        place.write('project/message', message);
        place.git('-C', project, 'add', '.');
        place.git('-C', project, 'commit', '--quiet', '--message', message);
      }
      const options = ['--fail-above', '5%', '--out', 'result.json'];
      const npx = ['bun', 'x', '--no-install', 'tracetax'];
      const compared = await call([...npx, 'compare', '--git', 'HEAD^1', ...options]);
      // Two pairs decide nothing.
      expect(compared).toMatchObject({
        status: 4,
        stderr: expect.stringContaining('bunx tracetax report result.json'),
      });
      expect(Object.keys(parseTable(compared.stdout).rows)).toEqual(['a', 'b']);
      const page = ['report', 'result.json', '--html', 'out.html'];
      expect(await call([...npx, ...page])).toMatchObject({ status: 0, stderr: '' });
    });
  },
);
