/** The largest body that is taken; Bun's own default is 128 MiB. */
export const MAX_BODY_BYTES = 1024 ** 3;

/**
 * What all servers on Bun.serve have in common. Development mode costs, and answers errors with its
 * own page.
 */
export const options = {
  hostname: process.env.HOST ?? '127.0.0.1',
  port: Number(process.env.PORT || 3000),
  maxRequestBodySize: MAX_BODY_BYTES,
  development: false,
};

type Measure = (request: Request) => number | undefined | Promise<number | undefined>;

/**
 * A server for `export default`: answers each POST with the size in `x-body-size`, if one was
 * found.
 */
export function serve(measure: Measure) {
  const fetch = async (request: Request): Promise<Response> => {
    if (request.method !== 'POST')
      return new Response(null, { status: 405, headers: { allow: 'POST' } });
    try {
      const size = await measure(request);
      return new Response(
        null,
        size === undefined ? {} : { headers: { 'x-body-size': String(size) } },
      );
    } catch {
      // The body did not come whole. Most often nobody is left to answer.
      return new Response(null, { status: 400 });
    }
  };
  return { ...options, fetch };
}
