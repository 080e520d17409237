import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { readClockProgram, signRaw } from '../../../support/raw-transaction.js';
import type { Attacker } from '../attacker.js';

const AT_ONCE = 40;
const GAS_BUDGET = 10_000_000;
const DURATION_SECS = 10;

/** Prepares as many transactions as it gets coins for, and sends all of them at the same moment. */
export const fillTheQueue: Attacker = {
  name: 'fill-the-queue',
  aim: 'make the transactions of others wait behind its own',
  async run(_target, client) {
    const user = new Ed25519Keypair();
    const program = readClockProgram();
    const prepare = async () => {
      const reservation = await client.reserve(GAS_BUDGET, DURATION_SECS);
      if (!reservation) return null;
      const transaction = await signRaw({ program, user, reservation, gasBudget: GAS_BUDGET });
      return () => client.execute(reservation, transaction);
    };
    await client.repeat(10_000, async () => {
      const prepared = await Promise.all(Array.from({ length: AT_ONCE }, prepare));
      await Promise.all(prepared.map(async (execute) => execute?.()));
    });
  },
};
