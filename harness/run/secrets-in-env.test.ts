import { expect, test } from 'bun:test';
import { secretsInEnv } from './secrets-in-env.ts';

test.each([
  [{ API_TOKEN: 'hush-hush', NAME: 'no secret' }, ['hush-hush']],
  [{ DATABASE_URL: 'postgres://app:pa#ss-word@db/shop' }, ['pa#ss-word']],
  [{ DB: 'postgres://app:p@ss-word@db/shop' }, ['p@ss-word']],
  [{ DB: 'postgres://app:pa%23ss-word@db/shop' }, ['pa%23ss-word', 'pa#ss-word']],
  [
    { OTEL_EXPORTER_OTLP_HEADERS: 'api-key=hush-hush' },
    ['api-key=hush-hush', 'api-key', 'hush-hush'],
  ],
  [{ PAGE: 'http://127.0.0.1:3000/users/me@example.com', GIT_AUTHOR_NAME: 'Someone' }, []],
  [{ SENTRY_DSN: 'https://0123456789@host/1' }, ['https://0123456789@host/1']],
  [{ ORIGIN: 'http://127.0.0.1:3000', SHORT_KEY: 'abc', EMPTY_SECRET: undefined }, []],
])('what is secret in %j', (env, secrets) => {
  expect(secretsInEnv(env)).toEqual(secrets);
});
