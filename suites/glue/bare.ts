export default { fetch: () => new Response('Hi') };
