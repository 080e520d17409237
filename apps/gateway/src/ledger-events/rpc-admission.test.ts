import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { RpcAdmission } from './rpc-admission.js';

const LIMITS = {
  perSecond: 100,
  requestsPerClient: 8,
  requestsInAll: 64,
  socketsPerClient: 1,
  socketsInAll: 1,
};

/** How many requests of one client with such a body are admitted at once. */
function admitted(headers: IncomingMessage['headers']): number {
  const admission = new RpcAdmission(LIMITS, { includes: () => false }, 2 ** 20);
  const request = { headers, socket: { remoteAddress: '203.0.113.1' } } as IncomingMessage;
  let count = 0;
  while (count < 100 && 'leave' in admission.admitRequest(request)) count += 1;
  return count;
}

describe('requests in progress at /rpc', () => {
  it('count like several if their bodies may be large', () => {
    expect(admitted({ 'content-length': '1000' })).toBe(8);
    expect(admitted({ 'content-length': '100000' })).toBe(2);
    expect(admitted({ 'content-length': '1048576' })).toBe(1);
    expect(admitted({ 'transfer-encoding': 'chunked' })).toBe(1);
  });
});
