import { expect, test } from 'bun:test';
import { testFolder } from '../testing/folder.ts';
import { developmentSignOf } from './development-mode.ts';

const { folder, write } = testFolder();
write('package.json', {
  scripts: {
    dev: 'next dev',
    start: 'node server.js',
    'start:watch': 'npm run inner -- --port 1',
    inner: 'nodemon server.js',
    loop: 'npm run loop',
  },
});

const signOf = (line: string, env: Record<string, string> = {}) =>
  developmentSignOf({ command: line.split(' '), env, cwd: folder });

test.each([
  ['node --watch server.js', '--watch'],
  ['node --watch-path=src server.js', '--watch-path'],
  ['bun --hot server.ts', '--hot'],
  ['bun run --watch server.ts', '--watch'],
  ['./node_modules/.bin/nodemon server.js', 'nodemon'],
  ['npx nodemon server.js', 'nodemon'],
  ['tsx watch server.ts', 'tsx watch'],
  ['node_modules/.bin/next dev -p {port}', 'next dev'],
  ['vite dev --port {port}', 'vite dev'],
  ['npx vite --port {port}', 'vite'],
  ['uvicorn app:app --reload', 'uvicorn'],
  ['flask --app a run --debug', 'flask'],
  ['python3 manage.py runserver {port}', 'manage.py runserver'],
  ['env NODE_ENV=development node server.js', 'NODE_ENV=development'],
  ['npm run dev', '"dev" of package.json: next dev'],
  ['bun dev', '"dev" of package.json: next dev'],
  ['npm run start:watch', '"start:watch" of package.json: "inner" of package.json: nodemon'],
])('%s is told', (line, sign) => {
  expect(signOf(line)).toBe(sign);
});

test('a shell, and variables that name a mode, are told, too', () => {
  const command = ['sh', '-c', 'exec nodemon server.js'];
  expect(developmentSignOf({ command, env: {}, cwd: folder })).toBe('nodemon');
  expect(signOf('rails server', { RAILS_ENV: 'development' })).toBe('RAILS_ENV=development');
});

test.each([
  'node server.js',
  'bun run server.ts',
  'npm start',
  'npm run loop',
  'npx next start',
  'vite preview --port {port}',
  'node watch.js',
  'node --require ./hot.js server.js',
  'deno run --reload server.ts',
  'java -jar dev.jar',
  'python3 server.py --env dev',
  'node server.js --no-watch',
])('%s is not', (line) => {
  expect(signOf(line)).toBeNull();
});

test('NODE_ENV of a suite has no effect', () => {
  expect(signOf('node server.js', { NODE_ENV: 'development' })).toBeNull();
});
