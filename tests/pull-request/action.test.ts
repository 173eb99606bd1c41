// The action (action.yml), step by step, in repositories made for it: what it compares, and what it
// tells. No network, no GitHub: `gh` notes how it is called.
import { expect, test } from 'bun:test';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { HI, server } from '../../harness/testing/sources.ts';
import {
  actionFile,
  type GithubEvent,
  PULL_REQUEST,
  PUSH,
  runAction,
} from '../support/action-run.ts';
import { parseTable } from '../support/results.ts';
import { ROOT } from '../support/short-runs.ts';
import { GENTLE_BOMBARDIER, testConcurrently, Workplace } from '../support/workplace.ts';

/** Says how it was called, and what the test wants it to say. */
const TRACETAX = `#!/bin/sh
[ "$1" = report ] && { echo '[]'; exit; }
echo "tracetax: called with $*" >&2
[ -z "$SAYS" ] || echo "tracetax: $SAYS" >&2
if [ -n "$VERDICT" ]; then
  echo "### $VERDICT"
  touch "$RUNNER_TEMP/tracetax/$NAME/result.json"
fi
exit "$TRACETAX_STATUS"
`;
/** Notes its calls, and the comment that it is given; an earlier one has the number $COMMENT. */
const GH = `#!/bin/sh
echo "$*" >> "$GH_CALLS"
[ -z "$GH_FAILS" ] || exit 1
for word in "$@"; do
  case $word in body=@*) cp "\${word#body=@}" "$RUNNER_TEMP/body";; esac
done
case $* in *--paginate*) echo "$COMMENT";; esac
`;

/**
 * A checkout as actions/checkout makes it: of one commit. In its origin, main has gone on since the
 * pull request began: HEAD is the merge of both.
 */
function checkedOut(place: Workplace, wanted: 'merge' | 'main' | 'first'): void {
  const git = (...args: string[]) => place.git('-C', 'origin', ...args);
  place.git('init', '--quiet', '--initial-branch', 'main', 'origin');
  git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  const commit = (name: string) => {
    place.write(`origin/${name}`, name);
    git('add', '.');
    git('commit', '--quiet', '--message', name);
    git('tag', name);
  };
  commit('first');
  git('switch', '--quiet', '--create', 'change');
  commit('changed');
  git('switch', '--quiet', 'main');
  commit('second');
  git('switch', '--quiet', '--create', 'merge');
  git('merge', '--quiet', '--no-edit', 'change');
  git('switch', '--quiet', 'main');
  place.git('init', '--quiet', 'checkout');
  const here = (...args: string[]) => place.git('-C', 'checkout', ...args);
  here('remote', 'add', 'origin', `file://${place.path('origin')}`);
  here('fetch', '--quiet', '--no-tags', '--depth=1', 'origin', hash(place, wanted));
  here('checkout', '--quiet', '--detach', 'FETCH_HEAD');
}

function hash(place: Workplace, revision: string): string {
  return place.git('-C', 'origin', 'rev-parse', `${revision}^{commit}`);
}

/** What the fake programs do; without a verdict, nothing is measured. */
interface Fakes {
  verdict?: string;
  status?: number;
  /** The number of an earlier comment. */
  comment?: string;
  ghFails?: boolean;
  /** The last line of what is not measured. */
  says?: string;
  /** The branch that a pull request is for. */
  baseRef?: string;
}

function act(
  place: Workplace,
  event: GithubEvent,
  { verdict = '', status = 0, comment = '', ghFails = false, says = '', baseRef = '' }: Fakes = {},
  inputs: Record<string, string> = {},
) {
  place.write('bin/gh', GH, 0o755);
  return runAction(place, event, inputs, {
    TRACETAX: place.write('bin/tracetax', TRACETAX, 0o755),
    TRACETAX_STATUS: String(status),
    VERDICT: verdict,
    COMMENT: comment,
    GH_FAILS: ghFails ? 'yes' : '',
    SAYS: says,
    GITHUB_BASE_REF: baseRef,
  });
}

/** tracetax itself, with a load tool that leaves the machine to the tests beside it. */
function gentleTracetax(place: Workplace): Record<string, string> {
  const cli = join(ROOT, 'harness/cli.ts');
  const script = `#!/bin/sh\nexec bun "${cli}" "$@"\n`;
  return { TRACETAX: place.write('bin/tracetax', script, 0o755), BOMBARDIER: GENTLE_BOMBARDIER };
}

/** The revision that was compared with, and the commit that it is. */
function comparedWith(place: Workplace, output: string): { name: string; commit: string } {
  const [, name = ''] = /compare --git (\S+)/.exec(output) ?? [];
  return { name, commit: place.git('-C', 'checkout', 'rev-parse', `${name}^{commit}`) };
}

testConcurrently('a pull request is compared with the base it is merged with', async (place) => {
  checkedOut(place, 'merge');
  const event = { ...PULL_REQUEST, 'github.event.pull_request.base.sha': hash(place, 'first') };
  const { output } = act(place, event, { verdict: 'x', baseRef: 'main' });
  expect(comparedWith(place, output)).toEqual({ name: 'main', commit: hash(place, 'second') });
  expect(output).toContain(
    `--suite bench/suite.json --fail-above 5% --out ${place.path('runner/tracetax/tracetax/result.json')}`,
  );
});

testConcurrently('a push is compared with the commit before it', async (place) => {
  checkedOut(place, 'main');
  const before = hash(place, 'first');
  const pushed = act(place, { 'github.event.before': before }, { verdict: 'x' });
  expect(comparedWith(place, pushed.output)).toEqual({ name: before, commit: before });
  // A new branch has none: so it is the parent.
  expect(comparedWith(place, act(place, PUSH, { verdict: 'x' }).output).commit).toBe(before);
});

testConcurrently('"base" names a branch, or a commit, that is not checked out', async (place) => {
  checkedOut(place, 'main');
  const comparedWithBase = (base: string) =>
    comparedWith(place, act(place, PUSH, { verdict: 'x' }, { base }).output);
  expect(comparedWithBase('change')).toEqual({ name: 'change', commit: hash(place, 'changed') });
  const first = hash(place, 'first');
  expect(comparedWithBase(first)).toEqual({ name: first, commit: first });
});

testConcurrently('other inputs are options of the comparison', async (place) => {
  checkedOut(place, 'main');
  const inputs = { limit: '2us', suite: 'a b.json', options: '--scenarios with  --pairs 3' };
  const { output } = act(place, PUSH, { verdict: 'x' }, inputs);
  expect(output).toContain('--suite a b.json --fail-above 2us');
  expect(output).toContain('--format pull-request --scenarios with --pairs 3\n');
});

testConcurrently('options may stand in several lines', async (place) => {
  checkedOut(place, 'main');
  const inputs = { options: '--scenarios with\n--pairs 3\n' };
  const { output } = act(place, PUSH, { verdict: 'x' }, inputs);
  expect(output).toContain('--format pull-request --scenarios with --pairs 3\n');
});

testConcurrently(
  'what a server said is in no comment, and in no file that is published',
  async (place) => {
    checkedOut(place, 'merge');
    const event = { ...PULL_REQUEST, 'github.event.pull_request.base.sha': hash(place, 'first') };
    const says = 'Scenario a did not start: it ended; it said: hush-hush. Fix it';
    const { summary } = act(place, event, { status: 2, says });
    expect(summary).toContain('Scenario a did not start: it ended; the log says more`');
    const published = [...new Bun.Glob('**').scanSync(place.path('runner/tracetax/tracetax'))];
    const texts = published.map((name) =>
      Bun.file(place.path(`runner/tracetax/tracetax/${name}`)).text(),
    );
    expect(published).toContain('comment.md');
    expect((await Promise.all(texts)).join()).not.toContain('hush-hush');
  },
);

test.each([
  [0, 'passed', 'notice'],
  [1, 'failed', 'error'],
  [4, 'undecided', 'error'],
])('status %d is the verdict %s, in outputs and above the log', async (status, verdict, level) => {
  await using place = new Workplace();
  checkedOut(place, 'main');
  const run = act(place, PUSH, { verdict: 'main -&gt; @<!-- -->b/c: 6.2 ±1.1 % more', status });
  expect(run.status).toBe(status);
  expect(run.outputs.verdict).toBe(verdict);
  expect(existsSync(String(run.outputs.result))).toBe(true);
  expect(run.output).toContain(`::${level} title=tracetax::main -> @b/c: 6.2 ±1.1 %25 more\n`);
  expect(run.summary).toStartWith('### main -&gt; @<!-- -->b/c: 6.2 ±1.1 % more\n');
  expect(run.summary).toContain(`Commit cafe, exit status ${status}, [log and result](`);
});

testConcurrently('a pull request has one comment, which is kept up to date', async (place) => {
  checkedOut(place, 'merge');
  const event = { ...PULL_REQUEST, 'github.event.pull_request.base.sha': hash(place, 'first') };
  const first = act(place, event, { verdict: 'First', baseRef: 'main' });
  expect(first.calls.length).toBe(2);
  expect(first.calls.at(-1)).toContain('api --silent repos/someone/shop/issues/5/comments -F body');
  const second = act(place, event, { verdict: 'Second', baseRef: 'main', comment: '7' });
  expect(second.calls.at(-1)).toContain(
    '--method PATCH repos/someone/shop/issues/comments/7 -F body',
  );
  const body = await Bun.file(place.path('runner/body')).text();
  expect(body).toStartWith('<!-- tracetax tracetax -->\n### Second\n');
  expect(body).toContain('Commit f00d, exit status 0');
  // It is found by how it begins.
  expect(second.calls[0]).toContain('startswith("<!-- tracetax tracetax -->")');
});

testConcurrently('what could not be measured says so in place of an old pass', async (place) => {
  checkedOut(place, 'merge');
  const event = { ...PULL_REQUEST, 'github.event.pull_request.base.sha': hash(place, 'first') };
  const run = act(place, event, { status: 2, comment: '7' });
  expect(run).toMatchObject({ status: 2, outputs: { verdict: 'not-measured', result: '' } });
  expect(run.summary).toStartWith('### Not measured\n\n`tracetax: called with compare');
  expect(await Bun.file(place.path('runner/body')).text()).toContain('### Not measured');
  const unknown = act(place, PUSH, { verdict: 'x' }, { base: 'nope' });
  expect(unknown.status).toBe(2);
  expect(unknown.summary).toContain("action: nope can't be fetched");
});

testConcurrently('the first commit of all has nothing to be compared with', async (place) => {
  checkedOut(place, 'first');
  const { status, summary } = act(place, PUSH, { verdict: 'x' });
  expect(status).toBe(2);
  expect(summary).toContain('HEAD has no commit before it');
});

testConcurrently('a fork gets the summary alone: its token may not write', async (place) => {
  checkedOut(place, 'merge');
  const event = {
    ...PULL_REQUEST,
    'github.event.pull_request.base.sha': hash(place, 'first'),
    'github.event.pull_request.head.repo.full_name': 'other/shop',
  };
  const { calls, summary } = act(place, event, { verdict: 'x', baseRef: 'main' });
  expect(calls).toEqual([]);
  expect(summary).toStartWith('### x\n');
});

testConcurrently('a token that may not write is a warning, and no failure', async (place) => {
  checkedOut(place, 'merge');
  const event = { ...PULL_REQUEST, 'github.event.pull_request.base.sha': hash(place, 'first') };
  const { status, output } = act(place, event, { verdict: 'x', ghFails: true });
  expect(status).toBe(0);
  expect(output).toContain('::warning title=No comment::The job needs');
});

testConcurrently('a change is measured, and its comment begins with the verdict', async (place) => {
  const scenarios = ['a', 'b'].map((name) => ({ name, command: ['bun', `../${name}.ts`] }));
  const full = { pairs: 2, durationSeconds: 2, duetSlices: 1, warmupSeconds: 0, connections: 4 };
  place.git('init', '--quiet', '--initial-branch', 'main', 'checkout');
  for (const name of ['a', 'b']) place.write(`checkout/${name}.ts`, server(HI));
  place.write('checkout/bench/suite.json', { name: 'bench', baseline: 'a', scenarios, full });
  for (const message of ['base', 'change']) {
    place.write('checkout/message', message);
    place.git('-C', 'checkout', 'add', '.');
    place.git('-C', 'checkout', 'commit', '--quiet', '--message', message);
  }
  const before = place.git('-C', 'checkout', 'rev-parse', 'HEAD^');
  const run = runAction(place, { 'github.event.before': before }, {}, gentleTracetax(place));
  // Two pairs decide nothing.
  expect(run).toMatchObject({ status: 4, outputs: { verdict: 'undecided' } });
  expect(run.summary).toStartWith('### Not decided: a has 2 pairs\n');
  expect(run.summary).toContain(`${before.slice(0, 7)} -&gt; HEAD (`);
  expect(Object.keys(parseTable(run.summary).rows)).toEqual(['a', 'b']);
  // CPU and latency of both servers, at both commits.
  const entries = await Bun.file(place.path('runner/tracetax/tracetax/benchmark.json')).json();
  expect(entries.length).toBe(8);
});

test('no step that runs code of the change gets the token', () => {
  const [measure, ...others] = actionFile().runs.steps;
  expect(JSON.stringify(measure)).not.toContain('token');
  expect(JSON.stringify(others)).toContain('inputs.token');
});

const actionlint = Bun.which('actionlint', {
  PATH: `${join(ROOT, '.tools/bin')}:${process.env.PATH}`,
});

test.skipIf(actionlint === null)('actionlint accepts the workflow of the documents', async () => {
  await using place = new Workplace();
  const workflow = await Bun.file(join(ROOT, 'docs/github-actions.yml')).text();
  place.git('init', '--quiet');
  copyFileSync(join(ROOT, 'action.yml'), place.path('action.yml'));
  // As an action of the same repository, its inputs are checked, too.
  const local = workflow.replace(/uses: \S+\/tracetax@\S+/, 'uses: ./');
  expect(local).toContain('uses: ./');
  place.write('.github/workflows/a.yml', workflow);
  place.write('.github/workflows/b.yml', local);
  const { exitCode, stdout } = Bun.spawnSync([String(actionlint)], { cwd: place.folder });
  expect({ exitCode, stdout: stdout.toString() }).toEqual({ exitCode: 0, stdout: '' });
});
