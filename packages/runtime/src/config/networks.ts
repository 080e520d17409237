import { BlockList, isIP } from 'node:net';

/** Addresses and networks, IPv4 and IPv6. */
export interface Networks {
  /** Whether the address is in one of the networks; false for a text that is not an address. */
  includes(address: string): boolean;
}

/**
 * Reads addresses and networks (`10.0.0.0/8`), separated by commas or white space. Throws `Error` with the expected
 * form.
 */
export function parseNetworks(text: string): Networks {
  const list = new BlockList();
  for (const part of text.split(/[,\s]+/).filter((one) => one !== '')) addNetwork(list, part);
  return {
    includes(address) {
      const version = isIP(address);
      return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
    },
  };
}

function addNetwork(list: BlockList, text: string): void {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  const longest = version === 6 ? 128 : 32;
  const bits = prefix === undefined ? longest : Number(prefix);
  const isPrefix = prefix === undefined || /^\d{1,3}$/.test(prefix);
  if (version === 0 || !isPrefix || bits > longest || more.length > 0) {
    throw new Error('must be a list of addresses and networks such as 10.0.0.0/8');
  }
  list.addSubnet(address, bits, version === 6 ? 'ipv6' : 'ipv4');
}
