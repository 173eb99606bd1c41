import { networkInterfaces } from 'node:os';

/** The addresses of this machine, without those of IPv6. */
export function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((each = []) => each);
  return all.filter(({ family }) => family === 'IPv4').map(({ address }) => address);
}
