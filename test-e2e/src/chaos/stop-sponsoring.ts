import { setTimeout as delay } from 'node:timers/promises';
import { callUntilDefinite, type Gateways } from './call-gateway.js';

const ANSWERED_MS = 60_000;

/** Actions of an operator, each with the one that ends it. */
const ACTIONS = {
  drain: ['/v1/drain', '/v1/undrain'],
  pause: ['/v1/pause', '/v1/resume'],
} as const;
export type StoppedBy = keyof typeof ACTIONS;

/**
 * Drains a sponsor or pauses it, and ends that `forMs` later. In the meantime clients are asked to wait, and
 * claimed transactions continue, which the invariants of the round verify.
 */
export async function stopSponsoring(
  gateways: Gateways,
  sponsor: string,
  by: StoppedBy,
  forMs: number,
): Promise<void> {
  const [begin, end] = ACTIONS[by];
  await act(gateways, begin, { sponsor_address: sponsor, reason: 'chaos' });
  await delay(forMs);
  await act(gateways, end, { sponsor_address: sponsor });
}

/** Sends the request to each gateway until one answers. Throws if none answers or the action is refused. */
async function act(gateways: Gateways, path: string, body: object): Promise<void> {
  const answer = await callUntilDefinite(gateways, 0, path, body, AbortSignal.timeout(ANSWERED_MS));
  if (answer?.status !== 200) {
    throw new Error(`${path} answered ${answer?.status}: ${answer?.body.error}`);
  }
}
