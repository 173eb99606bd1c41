// A second host for tests of load that comes over a network: a network namespace of this machine.

/**
 * Makes the host `NET.2` beside this one, `NET.1`.
 * Returns whether this user may do that. @throws Error if it fails half-way
 */
export function addNetworkHost(name: string, net: string): boolean {
  if (!succeeds(`ip netns add ${name}`)) return false;
  for (const line of [
    `ip link add ${name} type veth peer name far netns ${name}`,
    `ip addr add ${net}.1/24 dev ${name}`,
    `ip link set ${name} up`,
    `ip -n ${name} addr add ${net}.2/24 dev far`,
    `ip -n ${name} link set far up`,
  ])
    if (!succeeds(line)) throw new Error(`failed: ${line}`);
  return true;
}

/**
 * Removes the host. Its link goes first: the kernel removes the link of a namespace some time after
 * it, and a host of the same name could not be made until then.
 */
export function removeNetworkHost(name: string): void {
  succeeds(`ip link del ${name}`);
  succeeds(`ip netns del ${name}`);
}

function succeeds(line: string): boolean {
  return Bun.spawnSync(line.split(' '), { stderr: 'ignore' }).success;
}
