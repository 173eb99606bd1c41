import { expect, test } from 'bun:test';
import { reportFailure } from './failure.ts';
import { createProgram, runProgram } from './program.ts';

/** What the program says of a call that runs no command, and its exit status. */
async function usage(...words: string[]): Promise<{ status: number | undefined; output: string }> {
  let output = '';
  const write = (text: string) => {
    output += text;
  };
  const program = createProgram(() => {
    throw new Error('a command has run');
  });
  for (const command of [program, ...program.commands])
    command.configureOutput({
      writeOut: write,
      writeErr: write,
      getOutHelpWidth: () => 80,
      getOutHasColors: () => false,
    });
  const status = await program.parseAsync(words, { from: 'user' }).then(
    () => undefined,
    (error) => reportFailure(error),
  );
  return { status, output };
}

test.each([
  ['help', ['--help'], 0],
  ['help of compare', ['compare', '--help'], 0],
  ['a measuring option on results', ['compare', 'a', 'b', '--pairs', '3', '--suite', 'x'], 2],
  ['--force on a measurement', ['compare', '--git', 'HEAD', '--force'], 2],
  ['results and a revision', ['compare', 'a', '--git', 'HEAD'], 2],
  ['--force on one result', ['compare', 'a', '--force'], 2],
  ['--allow-missing without a limit', ['compare', 'a', 'b', '--allow-missing'], 2],
  ['nothing to compare', ['compare'], 2],
  ['a measuring option on profiles', ['explain', '--from', 'a', '--pairs', '3'], 2],
  ['--check without a document', ['report', 'a', '--check'], 2],
  ['names beside a scenario', ['explain', 'a', '--scenarios', 'a'], 2],
  ['a format of a page', ['report', 'a', '--html', 'b.html', '--format', 'full'], 2],
  ['a check of a page', ['report', 'a', '--html', 'b.html', '--update', 'c.md', '--check'], 2],
])('%s', async (_, words, status) => {
  const run = await usage(...words);
  expect(run.status).toBe(status);
  expect(run.output).toMatchSnapshot();
});

test.each<[said: string[], words: string[]]>([
  [
    ['pdf', 'docs'],
    ['--format', 'pdf'],
  ],
  [["unknown option '--round'"], ['--round', '3']],
  [['nurse'], ['nurse']],
  [
    ['before "explain"', '--quick'],
    ['--quick', 'explain', '--dry-run'],
  ],
  [
    ['--resume', '--out'],
    ['--resume', 'a', '--out', 'b'],
  ],
  [
    ['--git', '--package'],
    ['compare', '--git', 'HEAD', '--package', 'a@1', 'a@2'],
  ],
  [
    ['--package', '--force'],
    ['compare', '--package', 'a@1', 'a@2', '--force'],
  ],
  [
    ['--svg', '--check'],
    ['report', 'a', '--svg', 'b', '--check'],
  ],
])('a wrong call is one line that names %p', async (said, words) => {
  const { status, output } = await usage(...words);
  expect(output).toMatch(/^error: [^\n]*\n$/);
  for (const each of said) expect(output).toContain(each);
  expect(status).toBe(2);
});

test('the help of every command says how it is called, with examples that it takes', async () => {
  const { commands } = createProgram(() => {});
  expect(commands.length).toBeGreaterThan(5);
  for (const command of commands) {
    const { status, output } = await usage(command.name(), '--help');
    expect(output).toStartWith(`Usage: bunx tracetax ${command.name()} `);
    expect(status).toBe(0);
    const options = [...(output.split('Examples:')[1] ?? '').matchAll(/--[a-z-]+/g)];
    for (const [option] of options)
      expect(command.options.map(({ long }) => long)).toContain(option);
  }
});

test('the address of a server is refused, with what to give in place of it', () => {
  for (const words of [['http://localhost:3000'], ['--suite', 'HTTPS://example.org']])
    expect(runProgram(words)).rejects.toThrow('Servers elsewhere are not measured');
});
