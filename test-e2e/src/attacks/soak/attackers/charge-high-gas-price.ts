import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { readClockProgram } from '../../../support/raw-transaction.js';
import type { Attacker } from '../attacker.js';

const GAS_BUDGET = 150_000_000;
const PRICES = [99_999, 100_000, 50_000, 6_000];

/** Pays validators a hundred times the reference gas price. */
export const chargeHighGasPrice: Attacker = {
  name: 'charge-high-gas-price',
  aim: 'make the cheapest transaction cost the sponsor a hundred times as much',
  async run(_target, client) {
    const user = new Ed25519Keypair();
    let turn = 0;
    await client.repeat(300, () => {
      const gasPrice = PRICES[turn++ % PRICES.length]!;
      return client.sponsor(user, readClockProgram(), { gasPrice, gasBudget: GAS_BUDGET });
    });
  },
};
