Deno.serve(
  { hostname: Deno.env.get('HOST'), port: Number(Deno.env.get('PORT')), onListen() {} },
  () => new Response('Hi', { headers: { 'content-type': 'text/plain' } }),
);
