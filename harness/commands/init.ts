import { existsSync, mkdirSync } from 'node:fs';
import { z } from 'zod';
import { suiteSchema } from '../suite/suite-schema.ts';
import { Problem } from '../words/errors.ts';
import { writeFileAtomically } from '../words/files.ts';
import { EXIT_STATUS, INVOKED_AS, printToStderr } from '../words/output.ts';
import { initialSuiteFor } from './init/initial-suite.ts';

const FOLDER = 'bench';
const SUITE = `${FOLDER}/suite.json`;
const SCHEMA = 'suite.schema.json';

/**
 * Writes a suite for the project in this folder, and the schema by which an editor checks it.
 * Returns the exit status.
 * @throws Problem if there is a suite already, or if package.json can't be read
 */
export async function init(): Promise<number> {
  const existing = [SUITE, `${FOLDER}/suite.ts`].find((file) => existsSync(file));
  if (existing !== undefined)
    throw new Problem(
      `${existing} exists already`,
      `Measure it: ${INVOKED_AS} --suite ./${existing}`,
    );
  const suite = await initialSuiteFor(process.cwd());
  const schema = z.toJSONSchema(suiteSchema, { io: 'input' });
  mkdirSync(FOLDER, { recursive: true });
  await writeFileAtomically(`${FOLDER}/${SCHEMA}`, asJson(schema));
  await writeFileAtomically(SUITE, asJson({ $schema: `./${SCHEMA}`, ...suite }));
  printToStderr(
    `${SUITE}: written. Fill in what it asks for, then see what is recorded: ` +
      `${INVOKED_AS} prove with`,
  );
  return EXIT_STATUS.success;
}

function asJson(content: unknown): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}
