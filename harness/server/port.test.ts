import { expect, test } from 'bun:test';
import { fileURLToPath } from 'node:url';

const OF_CLIENTS = '/proc/sys/net/ipv4/ip_local_port_range';
const isPossible = Bun.which('ip') !== null && Bun.spawnSync(['unshare', '-rn', 'true']).success;
const moduleAt = (path: string) => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)));

/** What a script prints in a network of its own, in which clients have these ports alone. */
function printed(ports: string, script: string): string {
  const inside = `ip link set lo up && echo ${ports} > ${OF_CLIENTS} && exec "$0" -e "$1"`;
  return Bun.spawnSync(['unshare', '-rn', 'sh', '-c', inside, process.execPath, script])
    .stdout.toString()
    .trim();
}

/** Whether it ever holds, where nobody listens and clients have hardly a port. */
const everHolds = (ask: string) => {
  const script = `
    import { acceptsConnections } from ${moduleAt('./port.ts')};
    const at = { hostname: '127.0.0.1', port: 40_000, socket: { data() {} } };
    const connects = () => Bun.connect(at).then(() => true, () => false);
    let holds = false;
    for (let look = 0; look < 20; look++) holds = (await ${ask}) || holds;
    console.log(holds);
    process.exit();`;
  return printed('40000 40001', script);
};

test.skipIf(!isPossible)('a connection to itself is nobody who listens', () => {
  expect(everHolds('connects()')).toBe('true');
  expect(everHolds("acceptsConnections('127.0.0.1', 40_000)")).toBe('false');
});

test.skipIf(!isPossible).each([
  ['32768 60999', 10_000, 32_767],
  ['9000 60999', 9_000, 60_999],
])('if clients have %s, a server has a port from %d to %d', (ports, first, last) => {
  const script = `
    import { freePort } from ${moduleAt('../machine/free-port.ts')};
    console.log(JSON.stringify(await Array.fromAsync({ length: 20 }, freePort)));`;
  for (const port of JSON.parse(printed(ports, script))) {
    expect(port).toBeGreaterThanOrEqual(first);
    expect(port).toBeLessThanOrEqual(last);
  }
});
