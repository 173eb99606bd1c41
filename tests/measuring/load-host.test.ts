// Load from another host: a network namespace with a real sshd.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { readResult } from '../../harness/result/file.ts';
import { HI } from '../../harness/testing/sources.ts';
import { orUndefined } from '../../harness/words/errors.ts';
import { addNetworkHost, removeNetworkHost } from '../support/network-host.ts';
import { waitUntil } from '../support/processes.ts';
import { COMPLETE, FULL_LOAD, SHORT_RUN, SHORTEST_RUN } from '../support/short-runs.ts';
import { TEST_TIMEOUT_MS, Workplace } from '../support/workplace.ts';

setDefaultTimeout(TEST_TIMEOUT_MS);

const SSHD = Bun.which('sshd', { PATH: '/usr/sbin:/usr/bin' });
const NAME = `tt${process.pid}`;
/** Of the range for benchmarks (RFC 2544). */
const NET = `198.18.${process.pid % 256}`;
const [HERE, THERE] = [`${NET}.1`, `root@${NET}.2`];

const call = (...argv: string[]) => Bun.spawnSync(argv, { stderr: 'ignore' });
const canRun = SSHD !== null && process.getuid?.() === 0 && Bun.which('ip') !== null;
const hasHost = canRun && addNetworkHost(NAME, NET);

describe.skipIf(!hasHost)('a load host', () => {
  let network: Workplace;
  /** The hosts' folder for temporary files. */
  let there: string;
  let sshd: Bun.Subprocess | undefined;

  beforeAll(async () => {
    network = new Workplace('tracetax-ssh-');
    there = network.path('there');
    for (const folder of [there, '/run/sshd']) mkdirSync(folder, { recursive: true });
    for (const key of ['host', 'user'])
      call('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', network.path(key));
    const keys = [
      `HostKey ${network.path('host')}`,
      `AuthorizedKeysFile ${network.path('user.pub')}`,
    ];
    network.write(
      'sshd',
      [...keys, 'StrictModes no', 'PidFile none', `SetEnv TMPDIR=${there}`, ''].join('\n'),
    );
    const known = ['StrictHostKeyChecking no', 'UserKnownHostsFile /dev/null', 'LogLevel ERROR'];
    network.write(
      'config',
      [`IdentityFile ${network.path('user')}`, 'IdentitiesOnly yes', ...known, ''].join('\n'),
    );
    network.write(
      'ssh',
      `#!/bin/sh\nexec ${Bun.which('ssh')} -F ${network.path('config')} "$@"\n`,
      0o755,
    );
    await startSshd();
  });

  afterAll(async () => {
    for (const pid of strangers()) orUndefined(() => process.kill(pid, 'SIGKILL'));
    sshd?.kill();
    await sshd?.exited;
    removeNetworkHost(NAME);
    await network[Symbol.asyncDispose]();
  });

  async function startSshd() {
    const argv = ['ip', 'netns', 'exec', NAME, String(SSHD), '-D', '-f', network.path('sshd')];
    sshd = Bun.spawn(argv, { stdio: ['ignore', 'ignore', 'ignore'] });
    await waitUntil(
      () => call('ip', 'netns', 'exec', NAME, 'ss', '-Hltn', 'sport = :22').stdout.length > 0,
    );
  }

  /** What runs on the hosts, but for the sshd that waits for connections. */
  const strangers = () => {
    const pids = call('ip', 'netns', 'pids', NAME)
      .stdout.toString()
      .split('\n')
      .filter(Boolean)
      .map(Number);
    return pids.filter((pid) => pid !== sshd?.pid);
  };
  const isClean = () => strangers().length === 0 && readdirSync(there).length === 0;
  const env = () => ({ ...FULL_LOAD, PATH: `${network.folder}:${process.env.PATH}` });
  const from = (host: string) => ['--listen', HERE, '--load-host', host];
  /** Processes of ssh here that run this there: the load, or what keeps the connection. */
  const sshOf = (place: Workplace, what: 'http:' | 'mktemp') =>
    place.processes().filter((pid) => {
      const [program, ...words] = commandOf(pid);
      return program?.endsWith('/ssh') && words.join(' ').includes(what);
    });

  const argsIn = (place: Workplace, ...more: string[]) =>
    [SHORTEST_RUN, ['--suite', place.suite({ a: HI })], from(THERE), more].flat();

  test('makes the load, with copies of the files that the tool needs, and nothing is left there', async () => {
    await using place = new Workplace();
    place.write('body', 'x'.repeat(20_000));
    const status = '(await request.text()).length === 20_000 ? 200 : 500';
    const more = { request: { method: 'POST', path: "/it's", bodyFile: 'body' } };
    const suite = place.suite({ a: `return new Response('Hi', { status: ${status} })` }, more);
    const run = await place.measure(
      [...SHORT_RUN, '--suite', suite, '--tool', 'wrk', ...from(THERE)],
      env(),
    );
    expect(run.outcome).toEqual(COMPLETE);
    expect(run.stderr).toContain(`the servers listen on ${HERE}, so they are open to its network`);
    expect(run.result.tool.host).toBe(THERE);
    await place.waitForEnd();
    await waitUntil(isClean);
  });

  test.each([
    ['what runs the load tool', 'http:'],
    ['the connection', 'mktemp'],
  ] as const)(
    'a pair is invalid if its host goes away, and the next is measured: %s was killed',
    async (_, what) => {
      await using place = new Workplace();
      const measuring = place.measure(argsIn(place, '--pairs', '2', '--duration', '2s'), env());
      // Before the result exists, the load tool shows what it sends.
      await waitUntil(() => existsSync(place.path('out.json')) && sshOf(place, 'http:').length > 0);
      let pid: number | undefined;
      // Between two slices there is no load.
      await waitUntil(() => {
        [pid] = sshOf(place, what);
        return pid !== undefined;
      });
      process.kill(Number(pid), 'SIGKILL');
      const { status, result, outcome } = await measuring;
      expect(status).toBe(1);
      expect(outcome.faults).toMatchObject([
        {
          scenario: 'a',
          what: 'the load tool failed',
          detail: expect.stringMatching(/^root@[\d.]+ ended with/),
        },
      ]);
      expect(result.pairs.map(({ faults }) => faults.length).sort()).toEqual([0, 1]);
      await waitUntil(isClean);
    },
  );

  test('tracetax leaves nothing there if it is killed', async () => {
    await using place = new Workplace();
    const run = place.start(argsIn(place, '--slice', '60s'), env());
    await waitUntil(() => sshOf(place, 'http:').length === 1 && readdirSync(there).length === 1);
    run.kill('SIGKILL');
    await run.exited;
    await place.waitForEnd();
    await waitUntil(isClean);
  });

  test('a host that is gone for good ends the run, and the pairs so far are kept', async () => {
    await using place = new Workplace();
    const measuring = place.measure(argsIn(place, '--pairs', '20', '--duration', '20s'), env());
    const out = place.path('out.json');
    await waitUntil(() => existsSync(out) && readResult(out).pairs.length > 0);
    const sshds = strangers().filter((pid) => commandOf(pid)[0]?.startsWith('sshd'));
    for (const pid of [Number(sshd?.pid), ...sshds])
      orUndefined(() => process.kill(pid, 'SIGKILL'));
    const { status, result, stderr } = await measuring;
    await startSshd();
    await waitUntil(isClean);
    expect(status).toBe(1);
    expect(result.pairs.length).toBeGreaterThan(0);
    expect(stderr).toMatch(
      /^tracetax: The load host root@[\d.]+ can't be reached: .*Make "ssh root@[\d.]+ true" work/m,
    );
  });

  test('a host that lets nobody in, and one without the load tool', async () => {
    await using place = new Workplace();
    const suite = place.suite({ a: HI });
    const nobody = await place.run(
      [...SHORT_RUN, '--suite', suite, ...from(`nobody@${NET}.2`)],
      env(),
    );
    expect(nobody.status).toBe(2);
    expect(nobody.stderr).toMatch(/^tracetax: The load host nobody@[\d.]+ can't be reached: .+\n$/);
    const none = await place.run(argsIn(place), { ...env(), BOMBARDIER: '/nope' });
    expect(none.stderr).toStartWith(
      `tracetax: There is no bombardier on ${THERE}. Unset $BOMBARDIER, or install one there as /nope, `,
    );
    await waitUntil(isClean);
  });
});

function commandOf(pid: number): string[] {
  return (orUndefined(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')) ?? '').split('\0');
}
