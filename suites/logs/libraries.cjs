// Both libraries as people use them: lines of JSON, with their time.
const { openSync, writeSync } = require('node:fs');
const { Writable } = require('node:stream');

/** How each makes a logger that writes to a stream, or else to nothing; and how it logs a line. */
exports.LIBRARIES = {
  pino: {
    logger(stream) {
      const pino = require('pino');
      return pino(stream ?? pino.destination('/dev/null'));
    },
    log: (logger, fields, message) => logger.info(fields, message),
  },
  winston: {
    logger(stream) {
      const { createLogger, format, transports } = require('winston');
      return createLogger({
        format: format.combine(format.timestamp(), format.json()),
        transports: [new transports.Stream({ stream: stream ?? nowhere() })],
      });
    },
    log: (logger, fields, message) => logger.info(message, fields),
  },
};

/** Writes each line at once, as to a terminal or a file; and no disk is measured. */
function nowhere() {
  const file = openSync('/dev/null', 'w');
  return new Writable({
    write(line, _, done) {
      writeSync(file, line);
      done();
    },
  });
}
