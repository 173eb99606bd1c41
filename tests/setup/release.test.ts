// scripts/release.sh, in a repository made for it, with an npm that publishes nothing.
import { expect } from 'bun:test';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/short-runs.ts';
import { testConcurrently, type Workplace } from '../support/workplace.ts';

/** A repository that can be released as 1.2.0, with a remote. */
function releasable(place: Workplace): void {
  place.git('init', '--quiet', '--bare', '--initial-branch', 'main', 'remote.git');
  place.git('clone', '--quiet', 'remote.git', 'clone');
  mkdirSync(place.path('clone/scripts'));
  copyFileSync(join(ROOT, 'scripts/release.sh'), place.path('clone/scripts/release.sh'));
  for (const name of ['setup', 'test'])
    place.write(`clone/scripts/${name}.sh`, `#!/bin/sh\necho ${name} >> ../calls\n`, 0o755);
  place.write('clone/.tools/bin/bun', '#!/bin/sh\necho bun "$@" >> ../calls\n', 0o755);
  place.write('clone/.gitignore', '.tools\n');
  place.write('clone/package.json', {
    version: '1.1.0',
    repository: { url: 'git+https://github.com/someone/tracetax.git' },
  });
  place.write('clone/CHANGELOG.md', '# Changelog\n\n## 1.2.0\n\n- New.\n\n## 1.1.0\n');
  commit(place, 'first');
  place.git('-C', 'clone', 'push', '--quiet', 'origin', 'main');
  const npm = String(Bun.which('npm'));
  const fake = `if [ "$1" = pkg ]; then exec ${npm} "$@"; fi\necho npm "$@" >> ../calls`;
  place.write('bin/npm', `#!/bin/sh\n${fake}\n`, 0o755);
}

function commit(place: Workplace, message: string): void {
  place.git('-C', 'clone', 'add', '.');
  place.git('-C', 'clone', 'commit', '--quiet', '--message', message);
}

/** Releases; what it called is there line by line. */
async function release(place: Workplace, ...args: string[]) {
  place.write('calls', '');
  const { exitCode, stderr } = Bun.spawnSync(['bash', 'clone/scripts/release.sh', ...args], {
    cwd: place.folder,
    env: {
      ...process.env,
      PATH: `${place.path('bin')}:${process.env.PATH}`,
      GIT_AUTHOR_NAME: 't',
      GIT_AUTHOR_EMAIL: 't@localhost',
      GIT_COMMITTER_NAME: 't',
      GIT_COMMITTER_EMAIL: 't@localhost',
    },
  });
  const calls = (await Bun.file(place.path('calls')).text()).trim().split('\n').filter(Boolean);
  return { status: exitCode, stderr: stderr.toString(), calls };
}

const versionIn = async (place: Workplace) =>
  (await Bun.file(place.path('clone/package.json')).json()).version;

testConcurrently('a release is tested, tagged, pushed, and published last', async (place) => {
  releasable(place);
  const { status, calls } = await release(place, '1.2.0');
  expect(status).toBe(0);
  expect(calls).toEqual([
    'npm whoami',
    'setup',
    'bun scripts/release-names.ts',
    'test',
    'npm publish',
  ]);
  expect(place.git('-C', 'remote.git', 'log', '--format=%s %D', '-1', 'v1.2.0')).toContain(
    'Release 1.2.0',
  );
  expect(place.git('-C', 'remote.git', 'show', 'main:package.json')).toContain('"1.2.0"');
});

testConcurrently('a dry run publishes nothing, and takes back what it wrote', async (place) => {
  releasable(place);
  const { status, calls } = await release(place, '1.2.0', '--dry-run');
  expect(status).toBe(0);
  expect(calls.at(-1)).toBe('npm publish --dry-run');
  expect(await versionIn(place)).toBe('1.1.0');
  expect(place.git('-C', 'clone', 'tag')).toBe('');
});

testConcurrently('a release whose tests fail can be tried again', async (place) => {
  releasable(place);
  place.write('clone/scripts/test.sh', '#!/bin/sh\nexit 1\n', 0o755);
  commit(place, 'break');
  expect(await release(place, '1.2.0')).toMatchObject({ status: 1 });
  expect(await versionIn(place)).toBe('1.1.0');
  expect(place.git('-C', 'clone', 'status', '--porcelain')).toBe('');
});

testConcurrently('what stands in the way is a line with a remedy', async (place) => {
  releasable(place);
  const refused = async (said: string, ...args: string[]) => {
    const { status, stderr, calls } = await release(place, ...args);
    expect(stderr).toContain(said);
    expect({ lines: stderr.trim().split('\n').length, calls }).toEqual({ lines: 1, calls: [] });
    return status;
  };
  expect(await refused('say which version')).toBe(2);
  expect(await refused('begins with 1.2.0', '1.3.0')).toBe(1);
  place.git('-C', 'clone', 'tag', 'v1.2.0');
  expect(await refused('released already', '1.2.0')).toBe(1);
  place.git('-C', 'clone', 'tag', '--delete', 'v1.2.0');
  place.git('-C', 'clone', 'switch', '--quiet', '--create', 'other');
  expect(await refused('git switch main', '1.2.0')).toBe(1);
  place.write('clone/new', '');
  expect(await refused('not committed', '1.2.0')).toBe(1);
  const url = 'git+https://github.com/THE_OWNER/tracetax.git';
  place.write('clone/package.json', { repository: { url } });
  expect(await refused('npm pkg set repository.url', '1.2.0')).toBe(1);
});
