import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { RpcAdmission } from './rpc-admission.js';

const LIMITS = { perSecond: 2, requestsInAll: 1_024, socketsInAll: 1_024 };
const NO_PROXIES = { includes: () => false };

const from = (remoteAddress: string) =>
  ({ headers: {}, socket: { remoteAddress } }) as unknown as IncomingMessage;

/** How many places one client address gets. */
function takeAll(admission: RpcAdmission, address: string): number {
  const admitted = admission.admit(from(address));
  if (!('client' in admitted)) throw new Error('not admitted');
  let taken = 0;
  while (admission.takeRequest(admitted.client)) taken += 1;
  return taken;
}

describe('requests in progress at /rpc', () => {
  it('leave places for others, however many addresses of one IPv6 network take all they get', () => {
    const admission = new RpcAdmission(LIMITS, NO_PROXIES);
    for (let part = 0; part < 32; part++) {
      takeAll(admission, `2001:db8:0:${part.toString(16)}::1`);
    }
    expect(takeAll(admission, '2001:db8:1::1')).toBeGreaterThan(1);
    expect(takeAll(admission, '203.0.113.1')).toBeGreaterThan(50);
  });

  it('are limited in rate by address', () => {
    const admission = new RpcAdmission(LIMITS, NO_PROXIES);
    for (let sent = 0; sent < 20; sent++) admission.admit(from('203.0.113.1'));
    expect(admission.admit(from('203.0.113.1'))).toEqual({ retryAfterSecs: 1 });
    expect(admission.admit(from('203.0.113.2'))).toEqual({ client: '203.0.113.2' });
  });

  it.each([
    ['body', 20_480],
    ['response', 163_840],
  ] as const)('are limited in the bytes that they transfer: %s', (kind, bytes) => {
    const admission = new RpcAdmission(LIMITS, NO_PROXIES);
    expect(admission.admit(from('203.0.113.1'))).toEqual({ client: '203.0.113.1' });
    admission.charge('203.0.113.1', kind, bytes);
    expect(admission.admit(from('203.0.113.1'))).toEqual({ retryAfterSecs: 1 });
  });
});
