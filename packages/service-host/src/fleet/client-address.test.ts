import { describe, expect, it } from '@jest/globals';
import { readClientAddress, signClientAddress } from './client-address.js';

const SECRET = 'a-secret-of-a-fleet-of-32-or-more-characters';
const NOW = 1_795_000_000_000;

describe('a signed client address', () => {
  it.each(['192.0.2.7', '2001:db8::7'])(
    'is read by a service with the same secret: %s',
    (address) => {
      const header = signClientAddress(SECRET, address, NOW);
      expect(readClientAddress([SECRET], header, NOW + 30_000)).toBe(address);
      expect(readClientAddress([SECRET], header, NOW - 30_000)).toBe(address);
    },
  );

  it('is read while the fleet changes its secret', () => {
    const header = signClientAddress(SECRET, '192.0.2.7', NOW);
    expect(readClientAddress([`new-${SECRET}`, SECRET], header, NOW)).toBe('192.0.2.7');
    expect(readClientAddress([], header, NOW)).toBeNull();
  });

  it('is refused with another secret and outside its time', () => {
    const header = signClientAddress(SECRET, '192.0.2.7', NOW);
    expect(readClientAddress([`${SECRET}!`], header, NOW)).toBeNull();
    expect(readClientAddress([SECRET], header, NOW + 30_001)).toBeNull();
    expect(readClientAddress([SECRET], header, NOW - 30_001)).toBeNull();
  });

  it('is refused when any part of it was changed', () => {
    const header = signClientAddress(SECRET, '192.0.2.7', NOW);
    const [address, signedAt, signature] = header.split(';') as [string, string, string];
    const changed = [
      undefined,
      '',
      address,
      `192.0.2.8;${signedAt};${signature}`,
      `${address};${NOW + 1};${signature}`,
      `${address};${signedAt};`,
      `${address};${signedAt};${signature.slice(0, -4)}`,
      `${header};`,
      `not an address;${signedAt};${signature}`,
    ];
    for (const one of changed)
      expect([one, readClientAddress([SECRET], one, NOW)]).toEqual([one, null]);
  });
});
