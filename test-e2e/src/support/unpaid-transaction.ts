import { bcs } from '@iota/iota-sdk/bcs';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import type { Application } from './application.js';
import { call, executeTx } from './application.js';
import type { Program } from './raw-transaction.js';

/** The result of building a transaction. */
export interface BuiltTx {
  readonly tx_bytes: string;
  readonly digest: string;
  readonly reservation_id: number;
  readonly gas_budget: number;
  readonly sponsor_address: string;
  readonly expires_at: number;
}

/** BCS of the ledger's `TransactionKind` in base64. */
export function kindBytes({ inputs, commands }: Program): string {
  const program = { inputs: [...inputs], commands: [...commands] };
  return bcs.TransactionKind.serialize({ ProgrammableTransaction: program }).toBase64();
}

const callWithKind =
  (path: string) =>
  (application: Application, user: Ed25519Keypair, program: Program, over: object = {}) => {
    const body = { sender: user.toIotaAddress(), kind_bytes: kindBytes(program), ...over };
    return call(application, 'POST', path, body);
  };

/** Builds a program's transaction for a user. */
export const buildTx = callWithKind('/v1/build_tx');

/** Dry-runs a program's transaction. */
export const dryRunTx = callWithKind('/v1/dry_run_tx');

/** Signs and executes a built transaction. */
export async function executeBuilt(application: Application, user: Ed25519Keypair, built: BuiltTx) {
  const { signature } = await user.signTransaction(Buffer.from(built.tx_bytes, 'base64'));
  return executeTx(application, built, { tx_bytes: built.tx_bytes, user_sig: signature });
}
