// Answers after 100 awaits: of 50 async functions, one after the other, and in each of them of a
// promise that is resolved already. With the argument `storage`, all that is in a context, from
// which alone the answer is made: if the context were lost, the answer would be wrong.

// Modules are imported only where they are needed: a runtime may do more if AsyncLocalStorage is
// there, even if nobody uses it.
const AWAITS = 100;
const hostname = process.env.HOST;
const port = Number(process.env.PORT);
const storage = process.argv[2] === 'storage' ? await newStorage() : undefined;

async function newStorage() {
  const { AsyncLocalStorage } = await import('node:async_hooks');
  return new AsyncLocalStorage();
}

function handle() {
  const context = { greeting: 'Hi' };
  return storage ? storage.run(context, answer) : answer(context);
}

async function answer(passed) {
  let awaits = 0;
  while (awaits < AWAITS) awaits = await awaitOnce(awaits);
  const { greeting } = storage ? storage.getStore() : passed;
  return `${greeting} after ${awaits} awaits`;
}

/** Counts its own await, and that of its caller. */
async function awaitOnce(awaits) {
  await Promise.resolve();
  return awaits + 2;
}

const respond = () => handle().then((body) => new Response(body));

if (globalThis.Bun) {
  Bun.serve({ hostname, port, fetch: respond });
} else if (globalThis.Deno) {
  Deno.serve({ hostname, port, onListen() {} }, respond);
} else {
  const { createServer } = await import('node:http');
  createServer((_, response) => {
    handle().then((body) => response.setHeader('content-type', 'text/plain').end(body));
  }).listen(port, hostname);
}
