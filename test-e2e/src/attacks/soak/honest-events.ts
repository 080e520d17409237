import { setTimeout as delay } from 'node:timers/promises';
import { requestPatiently } from './request-patiently.js';
import type { HonestAccess } from './honest-user.js';
import type { Samples } from './samples.js';

const QUERY_EVERY_MS = 200;
export const DRIVEN = { MoveEventType: '0xdec0::garage::CarDriven' };

/** Reads the newest events at a steady rate until `signal` is aborted. */
export async function queryEvents(
  { gatewayUrl, from }: HonestAccess,
  samples: Samples,
  signal: AbortSignal,
): Promise<void> {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'ledger_getEvents',
    params: [{ MoveEvent: DRIVEN.MoveEventType }, null, 20, 'Descending'],
  };
  while (!signal.aborted) {
    const since = performance.now();
    const request = { method: 'POST', path: '/rpc', body, from } as const;
    const { failure, ...answered } = await requestPatiently(gatewayUrl, 'getEvents', request);
    const text = 'reply' in answered ? answered.reply.text : '';
    const reason = failure ?? (text.includes('"result"') ? null : `getEvents: ${text}`);
    if (reason === null) samples.succeeded(performance.now() - since);
    else samples.failedBecause(reason.slice(0, 160));
    await delay(QUERY_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
