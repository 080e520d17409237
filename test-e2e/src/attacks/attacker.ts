import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import type { Transaction } from '@iota/iota-sdk/transactions';
import { buildSponsored, executeTx, reserved } from '../support/application.js';
import type { TestSystem } from '../support/test-system.js';

/** A denied reservation is kept this long, and the next attempts need coins. */
const RESERVED_SECS = 15;
/** A module without contents; its name is "a". */
const MODULE = 'a11ceb0b060000000201000407040700000001045061645f016101';

/** A user of the application who tries to get transactions sponsored that the rules do not mean to allow. */
export interface Attacker {
  readonly user: Ed25519Keypair;
  readonly address: string;
  /** A coin that the attacker owns. */
  readonly coin: string;
  /** Returns status and text of the answer, and whether the node received the transaction. */
  readonly attempt: (
    build: (tx: Transaction) => void,
  ) => Promise<{ status: number; error: string | null; submitted: boolean }>;
}

export async function createAttacker({
  application,
  control,
  ledger,
}: TestSystem): Promise<Attacker> {
  const user = new Ed25519Keypair();
  const address = user.toIotaAddress();
  await control.mint(address, 5_000_000);
  const { data } = await ledger.getCoins({ owner: address });
  return {
    user,
    address,
    coin: data[0]!.coinObjectId,
    attempt: async (build) => {
      const reservation = await reserved(application, 50_000_000, RESERVED_SECS);
      const options = { user, build, gasBudget: 50_000_000 };
      const transaction = await buildSponsored(application, reservation, options);
      const { status, body } = await executeTx(application, reservation, transaction);
      const submitted = (await control.submissionsOf(transaction.digest)) > 0;
      return { status, error: body.error ?? null, submitted };
    },
  };
}

/** Publishes a package and keeps the right to upgrade it. */
export function publishPackage(tx: Transaction, owner: string): void {
  const modules = [[...Buffer.from(MODULE, 'hex')]];
  tx.transferObjects([tx.publish({ modules, dependencies: ['0x1'] })], owner);
}

/** Splits a coin and gives one part away. */
export function giveCoinAway(tx: Transaction, coin: string, recipient: string): void {
  tx.transferObjects([tx.splitCoins(tx.object(coin), [1])], recipient);
}

export const DENIED = {
  status: 403,
  submitted: false,
  error: 'The access rules do not allow this transaction',
};
