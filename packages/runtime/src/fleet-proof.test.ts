import { describe, expect, it } from '@jest/globals';
import { isProvenBy, proveFleet } from './fleet-proof.js';

const [OLD, NEW] = ['old', 'new'].map((name) => `${name}-secret-of-a-fleet-of-32-characters`);
const REQUEST = { method: 'POST', path: '/some/path', body: { first: 1, last: 2 } };
const NOW = 1_800_000_000_000;

describe('a proof of the fleet’s secret', () => {
  it('is accepted by a service with the secret, for two minutes', () => {
    const proof = proveFleet(OLD!, REQUEST, NOW);
    const sent = { ...REQUEST, body: JSON.parse(JSON.stringify(REQUEST.body)) as unknown };
    expect(isProvenBy([NEW!, OLD!], sent, proof, NOW + 60_000)).toBe(true);
    expect(isProvenBy([NEW!, OLD!], sent, proof, NOW - 60_000)).toBe(true);
    expect(isProvenBy([NEW!, OLD!], sent, proof, NOW + 600_000)).toBe(false);
  });

  it('is worth nothing with another secret, or without one', () => {
    const proof = proveFleet(OLD!, REQUEST, NOW);
    expect(isProvenBy([NEW!], REQUEST, proof, NOW)).toBe(false);
    expect(isProvenBy([], REQUEST, proof, NOW)).toBe(false);
  });

  it.each([
    ['method', { ...REQUEST, method: 'PUT' }],
    ['path', { ...REQUEST, path: '/another/path' }],
    ['body', { ...REQUEST, body: { first: 1, last: 3 } }],
  ])('is worth nothing for another %s', (_part, request) => {
    expect(isProvenBy([OLD!], request, proveFleet(OLD!, REQUEST, NOW), NOW)).toBe(false);
  });

  it.each([undefined, '', 'proof', [proveFleet(OLD!, REQUEST, NOW)], `${NOW}.00`])(
    'is not %p',
    (header) => expect(isProvenBy([OLD!], REQUEST, header, NOW)).toBe(false),
  );
});
