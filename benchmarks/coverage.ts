/**
 * How often tracetax's intervals hold, with the speeds and errors of published results.
 *
 *     bun benchmarks/coverage.ts               simulated tables, and the rule of --within
 *     bun benchmarks/coverage.ts --quick       the same with a tenth of the tables
 *     bun benchmarks/coverage.ts --tables N    the same with N tables of each case, else 2,000
 *     bun benchmarks/coverage.ts --tasks       runs with five tasks of unlike slopes
 *     bun benchmarks/coverage.ts --rates       runs at several rates, with larger errors at low ones
 *     bun benchmarks/coverage.ts --ranking     whether signs hold that tell products apart
 *     bun benchmarks/coverage.ts --published   how wide intervals of published rows are
 *     bun benchmarks/coverage.ts --quantities  the same method for ms, p99, memory and start-up
 *     bun benchmarks/coverage.ts --long FILE   tables drawn from a run of many pairs, as truth
 *
 * `--quick` and `--tables` also act on all others that simulate tables.
 */
import { parseArgs } from 'node:util';
import { readResult } from '../harness/result/file.ts';
import { longRunTable } from './coverage/long-run-table.ts';
import { noisesOf, readResults } from './coverage/published.ts';
import { publishedTable } from './coverage/published-table.ts';
import { quantitiesTable } from './coverage/quantities-table.ts';
import { rankingTable } from './coverage/ranking-table.ts';
import { ratesTable } from './coverage/rates-table.ts';
import { randomOf, type Simulation } from './coverage/simulation.ts';
import { sizesTable } from './coverage/sizes-table.ts';
import { stoppingTable } from './coverage/stopping-table.ts';
import { tasksTable } from './coverage/tasks-table.ts';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    published: { type: 'boolean', default: false },
    tasks: { type: 'boolean', default: false },
    rates: { type: 'boolean', default: false },
    ranking: { type: 'boolean', default: false },
    quantities: { type: 'boolean', default: false },
    long: { type: 'string' },
    tables: { type: 'string', default: '2000' },
  },
});
const tables = options.quick ? Number(options.tables) / 10 : Number(options.tables);
const random = randomOf(2026);
const results = readResults('results');

/** Returns what is simulated with the noise that CPU per request has in published results. */
function simulationOfCpu(): Simulation {
  return { noises: noisesOf(results, 'cpuUs'), tables, random };
}

/** Returns what the options ask for, to be printed. */
function chosenTables(): string {
  if (options.long) return longRunTable(readResult(options.long), random);
  if (options.published) return publishedTable(results);
  if (options.tasks) return tasksTable(simulationOfCpu());
  if (options.rates) return ratesTable(simulationOfCpu());
  if (options.ranking) return rankingTable(simulationOfCpu());
  if (options.quantities) return quantitiesTable(results, { tables, random });
  const simulation = simulationOfCpu();
  return `${sizesTable(simulation)}\n\n${stoppingTable(simulation)}`;
}

console.log(chosenTables());
