import { randomBytes } from 'node:crypto';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import type { Reservation, SignedTransaction } from '../../../support/application.js';
import {
  CLOCK,
  moveCall,
  ownedObject,
  type Program,
  signRaw,
} from '../../../support/raw-transaction.js';
import type { Attacker } from '../attacker.js';
import { longestReservationSecs } from '../target.js';

/** The maximum number of inputs, and more: the gateway refuses those without a look-up. */
const INPUTS = [500, 1_500];
const SOME_DIGEST = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi';
const SECS = 30;

function programWithMadeUpInputs(count: number): Program {
  const made = Array.from({ length: count }, () => {
    const objectId = `0x${randomBytes(32).toString('hex')}`;
    return ownedObject({ objectId, version: 5, digest: SOME_DIGEST });
  });
  return { inputs: [CLOCK, ...made], commands: [moveCall('0x2::clock::timestamp_ms', [0])] };
}

/**
 * Repeatedly uses one reservation for transactions whose inputs must be looked up and do not exist. They are
 * built once, because sending them again costs an attacker almost nothing.
 */
export const listMadeUpInputs: Attacker = {
  name: 'list-made-up-inputs',
  aim: 'make each request cost the node a hundred reads',
  async run(target, client) {
    const user = new Ed25519Keypair();
    let reservation: Reservation | null = null;
    let reservedAt = 0;
    let transactions: readonly SignedTransaction[] = [];
    let turn = 0;
    await client.repeat(500, async () => {
      if (!reservation || performance.now() - reservedAt > SECS * 1_000) {
        reservation = await client.reserve(
          10_000_000,
          Math.min(SECS, longestReservationSecs(target)),
        );
        reservedAt = performance.now();
        if (!reservation) return;
        const usable = reservation;
        transactions = await Promise.all(
          INPUTS.map((count) =>
            signRaw({ program: programWithMadeUpInputs(count), user, reservation: usable }),
          ),
        );
      }
      await client.execute(reservation, transactions[turn++ % transactions.length]!);
    });
  },
};
