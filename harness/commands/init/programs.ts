// What init knows of the programs that scripts of package.json call.

/** tracetax sets these itself. */
export const OURS = /^(PORT|HOST|HOSTNAME|NODE_ENV)$/;

/** What is written otherwise for the rest to understand it. An address that a script names gives way to ours. */
export const REWRITTEN: [RegExp, string][] = [
  [/\$\{PORT\b[^}]*\}|\$PORT\b|%PORT%/g, '{port}'],
  [/\$\{HOST\b[^}]*\}|\$HOST\b/g, '{host}'],
  [/(?<= (-p|--port)[ =])\d+\b/g, '{port}'],
  [/(?<= (-H|--host|--hostname)[ =])(localhost|[\d.]+)(?= |$)/g, '{host}'],
  [/\bnode --run\b/g, 'npm run'],
  [/\bbunx --bun\b/g, 'bun --bun'],
  [/\btsx watch\b/g, 'tsx-watch'],
];

/** What starts a server again when a file changes, by what it starts. */
export const WATCHERS: Record<string, string> = {
  nodemon: 'node',
  'node-dev': 'node',
  'ts-node-dev': 'ts-node',
  tsnd: 'ts-node',
  'tsx-watch': 'tsx',
};
/** Their own options, which what they start does not have; a value follows the latter. */
export const OWN =
  /^(-[qLVIC]|--(respawn|exit-child|rs|poll|clear|cls|quiet|verbose|legacy-watch|(no-)?(notify|clear-screen))(=.*)?)$/;
export const OWN_VALUED =
  /^(-[weixd]|--(watch|ext|exec|ignore|ignore-watch|include|exclude|delay|config|debounce|interval))$/;
/** Options of servers to the same end, and those that let a debugger in. */
export const WATCHING = /^(-w|--(watch|hot|inspect|debug)\b.*)$/;

/** Programs that start another one with variables of a file. */
export const WRAPPERS = /^(dotenvx?|doppler|infisical)$/;
/** Whether a package manager is told to run the scripts of another folder. */
export const isElsewhere = (args: string[]): boolean =>
  args.some((word) => /^(-[wCF]|--(workspaces?|prefix|filter|cwd|dir)(=.*)?)$/.test(word));

/** What starts several programs, sends them into the background, builds, or serves for development alone. */
const UNFIT = [
  ...['', 'npm', 'pnpm', 'yarn', 'run-[sp]', 'npm-run-all2?', 'concurrently', 'turbo', 'nx', 'lerna', 'make', 'nest'],
  ...['pm2.*', 'forever', 'docker.*', 'cd', 'source', '\\.', '-.*', 'tsc.*', 'tsup', 'webpack.*', 'rollup', 'esbuild'],
  ...['parcel', 'gulp', 'grunt', 'mix', 'vite', 'ng', 'react-scripts', 'vue-cli-service', 'expo', 'electron'],
  ...['wrangler', 'serverless', 'sls', 'sst'],
];
const isNoServer = new RegExp(`^(${UNFIT.join('|')})$`);

/** Whether these words start something else than one server, as it runs in production. */
export const isUnfit = (words: string[]): boolean =>
  isNoServer.test(words[0] ?? '') ||
  (words[0] === 'bun' && isElsewhere(words)) ||
  /^\S+ (vite:)?dev(elop)?(?= |$)|^node$/.test(words.join(' '));
