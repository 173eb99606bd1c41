// As on https://grafana.com/docs/pyroscope/latest/configure-client/language-sdks/nodejs/: its
// variables say where to, and how often.
const Pyroscope = require('@pyroscope/nodejs');

Pyroscope.init({ wall: { collectCpuTime: true } });
Pyroscope.start();
