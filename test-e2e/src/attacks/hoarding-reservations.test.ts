import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { describe, expect, it } from '@jest/globals';
import { type Answer, type Application, reserveGas, sponsor } from '../support/application.js';
import { COINS, SHARE, system } from '../support/systems/token-system.js';
import { applicationOf } from '../support/tokens-file.js';
import { userOfShop } from '../access/user-of-shop.js';

const LARGEST_BUDGET = 999_999_999;

const as = (name: string) => applicationOf(name, system.application);

/** Reserves until the gateway refuses, first large budgets, then small ones. */
async function hoard(application: Application): Promise<{ coins: number; refusals: Answer[] }> {
  let coins = 0;
  const refusals: Answer[] = [];
  for (const budget of [LARGEST_BUDGET, 250_000_000, 10_000_000]) {
    for (let tries = 0; tries < 2 * COINS; tries++) {
      const answer = await reserveGas(application, budget, 5);
      if (answer.status !== 200) {
        refusals.push(answer);
        break;
      }
      coins += (answer.body.result as unknown as { gas_coins: unknown[] }).gas_coins.length;
    }
  }
  return { coins, refusals };
}

describe('an attacker who signs tokens for invented users with an application’s key', () => {
  it('cannot reserve more with all of them than one caller may, and leaves the rest to other callers', async () => {
    await system.untilAvailable(COINS);
    const answers: Answer[] = [];
    for (let user = 0; user < COINS; user++) {
      answers.push(await reserveGas(userOfShop(new Ed25519Keypair()), 10_000_000, 10));
    }
    const refused = answers.filter(({ status }) => status !== 200);
    expect(answers.length - refused.length).toBe((COINS * SHARE) / 100);
    expect(new Set(refused.map(({ headers }) => headers.get('error-code')))).toEqual(
      new Set(['RESERVATION_LIMIT']),
    );
    expect(refused[0]!.body.error).toContain('all users: pool-share');
    expect((await sponsor(as('shop'))).answer.status).toBe(200);
    await system.untilAvailable(COINS);
  });
});

describe('a caller that reserves as much as it can', () => {
  it.each(['hoarder', 'default'])(
    'leaves a share of the pool to other callers: %s',
    async (name) => {
      await system.untilAvailable(COINS);
      const application = name === 'default' ? system.application : as(name);
      const { coins, refusals } = await hoard(application);
      expect(coins).toBeGreaterThan(COINS / 4);
      expect(coins).toBeLessThanOrEqual((COINS * SHARE) / 100);
      // The coins that remain may not cover the largest budget.
      expect([429, 503]).toContain(refusals[0]!.status);
      expect(refusals.slice(1).map(({ status }) => status)).toEqual([429, 429]);
      for (const { headers } of refusals) {
        expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      }
      expect(refusals.at(-1)!.body.error).toContain('pool-share');
      expect((await sponsor(as('shop'))).answer.status).toBe(200);
    },
    60_000,
  );
});
