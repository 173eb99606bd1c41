import { afterEach, expect, test } from 'bun:test';
import { bypassProxyForOwnAddresses, leaveGitHook, undoDotenv } from './environment.ts';

const before = { ...process.env };
afterEach(() => {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, before);
});

test('a variable that this process did not get from its user is taken back, and others stay', () => {
  process.env.TRACETAX_TEST_OF_DOTENV = 'from a file';
  undoDotenv();
  expect(process.env.TRACETAX_TEST_OF_DOTENV).toBeUndefined();
  expect(process.env.PATH).toBe(before.PATH);
});

test('what a hook of git says of its repository is forgotten', () => {
  process.env.GIT_DIR = '/elsewhere/.git';
  process.env.GIT_AUTHOR_NAME = 'x';
  leaveGitHook();
  expect(process.env.GIT_DIR).toBeUndefined();
  expect(process.env.GIT_AUTHOR_NAME).toBe('x');
});

test('this machine is asked without a proxy, beside the hosts that the user names', () => {
  process.env.NO_PROXY = 'example.org';
  process.env.no_proxy = '';
  bypassProxyForOwnAddresses();
  const { NO_PROXY = '', no_proxy } = process.env;
  const hosts = NO_PROXY.split(',');
  expect(hosts[0]).toBe('example.org');
  expect(hosts).toEqual(expect.arrayContaining(['127.0.0.1', 'localhost']));
  expect(no_proxy).toBe(NO_PROXY);
});
