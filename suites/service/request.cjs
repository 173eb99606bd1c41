// What a request does besides: `$STEPS` names how much of query, fetch and log.
const steps = (process.env.STEPS ?? '').split(',').filter(Boolean);
const { DATABASE_URL, UPSTREAM_URL } = process.env;

/** Each step takes what those before it found. */
const STEPS = {
  query() {
    const { Pool } = require('pg');
    const pool = new Pool({ connectionString: DATABASE_URL });
    return async (found) => {
      const { rows } = await pool.query('SELECT name FROM users WHERE id = $1', [1]);
      return { ...found, name: rows[0].name };
    };
  },
  fetch: () => async (found) => ({ ...found, ...(await (await fetch(UPSTREAM_URL)).json()) }),
  log() {
    const pino = require('pino');
    // No disk is measured.
    const logger = pino(pino.destination('/dev/null'));
    return async (found) => {
      logger.info(found, 'found');
      return found;
    };
  },
};
const work = steps.map((name) => STEPS[name]());

exports.answer = async () => {
  let found = {};
  for (const step of work) found = await step(found);
  return found;
};
