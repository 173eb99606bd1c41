import { listed } from '../../words/text.ts';
import { type MeasuredRun, serversOf } from '../rows.ts';
import { type Finding, finding } from './finding.ts';

/** Servers that watch their files, or are in development mode. */
export function findDevelopmentMode({ tasks, header }: MeasuredRun): Finding[] {
  const signs = new Map(
    header.suite.scenarios.map(({ name, developmentSign }) => [name, developmentSign]),
  );
  const seen = tasks.flatMap(serversOf).flatMap(({ scenario, label }) => {
    const sign = signs.get(scenario);
    return sign === undefined ? [] : [`${label} (${sign})`];
  });
  if (seen.length === 0) return [];
  const text = `Costs are not those of production: ${listed(seen)} ran in watch or development mode`;
  return [finding(text, 'Start servers as in production')];
}
