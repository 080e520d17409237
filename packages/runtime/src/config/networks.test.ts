import { describe, expect, it } from '@jest/globals';
import { parseNetworks } from './networks.js';

describe('parseNetworks', () => {
  it('contains the addresses of its networks and no others', () => {
    const networks = parseNetworks('10.0.0.0/8, 192.0.2.7\nfd00::/8,::1');
    for (const address of ['10.255.0.1', '192.0.2.7', 'fdff::1', '::1']) {
      expect(networks.includes(address)).toBe(true);
    }
    for (const address of ['11.0.0.1', '192.0.2.8', 'fe80::1', '::2', '', 'nobody']) {
      expect(networks.includes(address)).toBe(false);
    }
  });

  it('accepts an empty list', () => {
    expect(parseNetworks('').includes('127.0.0.1')).toBe(false);
  });

  it.each(['10.0.0.0/33', '10.0.0/8', '::/129', 'host', '10.0.0.0/8/8', '10.0.0.0/'])(
    'refuses %s',
    (text) => {
      expect(() => parseNetworks(text)).toThrow(/addresses and networks/);
    },
  );
});
