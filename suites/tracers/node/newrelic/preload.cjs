// As on https://docs.newrelic.com/install/nodejs/. The agent is told by its variables where to report.
const [host, port] = process.env.SINK.split(':');
Object.assign(process.env, { NEW_RELIC_HOST: host, NEW_RELIC_PORT: port });
require('newrelic');
