import { describe, expect, it } from '@jest/globals';
import { buildSponsored, executeTx, reserved } from '../support/application.js';
import { system } from '../support/systems/usual-system.js';

/** The reference gas price of devnet. */
const REFERENCE = 1_000;
const RATIO = 5;

describe('a gas price far above the reference price', () => {
  it('is refused before the claim, and the reservation then serves a corrected transaction', async () => {
    const gasBudget = 200_000_000;
    const reservation = await reserved(system.application, gasBudget);
    for (const gasPrice of [RATIO * REFERENCE + 1, 99_999]) {
      const greedy = await buildSponsored(system.application, reservation, { gasBudget, gasPrice });
      const answer = await executeTx(system.application, reservation, greedy);
      expect([answer.status, answer.body.error]).toEqual([
        400,
        `The transaction's gas price is too high: ${gasPrice} exceeds 5000, 5 times the reference gas price`,
      ]);
      expect(await system.control.submissionsOf(greedy.digest)).toBe(0);
    }
    const gasPrice = RATIO * REFERENCE;
    const hasty = await buildSponsored(system.application, reservation, { gasBudget, gasPrice });
    const answer = await executeTx(system.application, reservation, hasty);
    expect(answer.body.effects?.status.status).toBe('success');
  });
});
