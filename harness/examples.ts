import { CALLED } from './words/output.ts';

/** What follows the name of the command, by command; of a run by itself under ''. */
const EXAMPLES: Record<string, string[]> = {
  '': ['--quick', '--suite ./bench/suite.json --scenarios with', '--rate 30% --tool oha', '--dry-run'],
  calibrate: ['--quick'],
  soak: ['with --suite ./bench/suite.json --for 30m'],
  prove: ['with --suite ./bench/suite.json'],
  explain: ['trace-10x', 'trace-10x --from results/FILE --format full'],
  report: ['results/FILE --format full', 'results/FILE --update README.md', 'results/FILE --html report.html'],
  compare: ['old.json new.json --fail-above 5%', '--git main --fail-above 5%'],
};

/** Calls to copy, for the help of a command; nothing if its name says it all. */
export function examplesOf(command: string): string {
  const calls = EXAMPLES[command]?.map((rest) => `  ${[CALLED, command, rest].filter(Boolean).join(' ')}`) ?? [];
  return calls.length === 0 ? '' : `\nExamples:\n${calls.join('\n')}`;
}
