// Reads the URL, as Hono does to find the route: Bun builds it then, and no baseline is to leave
// that to the tracer.
export default { fetch: ({ url }: Request) => new Response(url === '' ? url : 'Hi') };
