// What the servers fetch from.
Bun.serve({
  hostname: process.env.HOST,
  port: process.env.PORT,
  fetch: () => Response.json({ score: 7 }),
});
