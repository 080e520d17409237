import { setTimeout as delay } from 'node:timers/promises';
import type { IotaClient } from '@iota/iota-sdk/client';
import { findTransaction } from './find-transaction.js';

const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 1_000;

/**
 * See `Ledger.waitForLocalExecution`. A node that does not answer counts as one that does not show
 * the transaction yet.
 */
export async function waitForLocalExecution(
  client: IotaClient,
  digest: string,
  timeoutMs: number,
): Promise<boolean> {
  const isShown = async () => (await findTransaction(client, digest).catch(() => null)) !== null;
  const deadline = performance.now() + timeoutMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    if (await isShown()) return true;
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await delay(Math.min(pause, left));
    // Does not compare the clock: a timer may fire slightly early.
    if (left <= pause) return isShown();
  }
}
