import { bcs } from '@iota/iota-sdk/bcs';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { MoveAuthenticatorBuilder, MoveSigner } from '@iota/iota-sdk/keypairs/move-authenticator';
import {
  type Answer,
  buildSponsored,
  executeTx,
  type Reservation,
  reserved,
  type SignedTransaction,
} from '../support/application.js';
import type { LedgerUser } from '../support/ledger-user.js';
import type { TestSystem } from '../support/test-system.js';

/** Of every account that `createAccount` creates. */
export const PASSWORD = 4_711n;

/** Creates an abstract account that accepts `PASSWORD`, and returns its address. */
export async function createAccount(system: TestSystem, user: LedgerUser): Promise<string> {
  const { created } = await user.run((tx) => {
    const target = '0xdec0::account::create';
    tx.moveCall({ target, arguments: [tx.pure.u64(PASSWORD)] });
  });
  await system.control.untilShown();
  return created[0]!;
}

/** A user without a key whose address is that of an account. */
export function asUser(account: string): Ed25519Keypair {
  return Object.assign(new Ed25519Keypair(), { toIotaAddress: () => account });
}

/** A transaction of the account, authorised with this password. */
export async function authorised(
  system: TestSystem,
  account: string,
  password: bigint,
  reservation: Reservation,
): Promise<SignedTransaction> {
  const authenticator = await new MoveAuthenticatorBuilder(account)
    .addPure(bcs.u64().serialize(password).toBytes())
    .finish(system.ledger);
  const transaction = await buildSponsored(system.application, reservation, {
    user: asUser(account),
  });
  return { ...transaction, user_sig: await new MoveSigner(authenticator).getSignature() };
}

/** Sponsors a transaction of the account, authorised with this password. */
export async function sponsorAccount(
  system: TestSystem,
  account: string,
  password: bigint,
): Promise<Answer> {
  const reservation = await reserved(system.application);
  const transaction = await authorised(system, account, password, reservation);
  return executeTx(system.application, reservation, transaction);
}

/** The work of the node and of the pool until now. */
export async function workOf({ control, totals }: TestSystem) {
  return {
    submissions: Object.keys(await control.submissions()).length,
    dryRuns: await control.requestsOf('iota_dryRunTransactionBlock'),
    reads: await control.requestsOf('iota_multiGetObjects'),
    quarantined: Number((await totals()).coins.quarantined),
  };
}
