import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import {
  type Answer,
  buildSponsored,
  executeTx,
  type Reservation,
  reserveGas,
} from '../support/application.js';
import { system } from '../support/systems/fleet-system.js';

const CLIENTS = 8;

let calls = 0;

/** Repeats a request as long as the answer asks for it. */
async function patiently(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 503) return answer;
    calls += 1;
    await delay(Number(answer.headers.get('retry-after')) * 1_000);
  }
}

describe('two coin-pools under load', () => {
  it('restart one after the other, and no transaction fails', async () => {
    const answered = { transactions: 0 };
    let restarted = false;
    const client = async (number: number) => {
      const application = system.applications[number % system.applications.length]!;
      while (!restarted) {
        const reserved = await patiently(() => reserveGas(application));
        const reservation = reserved.body.result as unknown as Reservation;
        const transaction = await buildSponsored(application, reservation);
        const answer = await patiently(() => executeTx(application, reservation, transaction));
        expect([answer.status, answer.body.error]).toEqual([200, null]);
        answered.transactions += 1;
      }
    };
    const more = (count: number) => {
      const target = answered.transactions + count;
      return system.until(async () => answered.transactions >= target);
    };
    const load = Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)));
    const restarts = async () => {
      await more(CLIENTS);
      for (const coinPool of system.services('coin-pool')) {
        await coinPool.restart();
        expect(await coinPool.log()).toContain('"msg":"Service stopped"');
        await more(CLIENTS);
      }
      restarted = true;
    };
    await Promise.all([load, restarts()]);
    // Only requests that were in transit when a connection closed may need a repetition.
    expect(calls).toBeLessThan(CLIENTS);
    await system.settledTotals();
    expect(await system.differences()).toEqual([]);
  });
});
