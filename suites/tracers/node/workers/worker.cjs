// Ends the server if this thread has a tracer where it should have none, or has none where it
// should. The folder of a tracer is that in which the server runs.
const folder = `${process.cwd()}/node_modules/`;
const hasTracer = Object.keys(require.cache).some((file) => file.startsWith(folder));
if (String(hasTracer) !== process.env.TRACER_IN_THREADS)
  throw new Error(`this thread has ${hasTracer ? 'a' : 'no'} tracer`);

module.exports = (text) => text;
