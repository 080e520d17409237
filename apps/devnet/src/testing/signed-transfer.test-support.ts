import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import type { TestDevnet } from './start-test-devnet.test-support.js';

export interface SignedTransfer {
  readonly digest: string;
  readonly sender: Ed25519Keypair;
  /** The gas coin. */
  readonly coin: { readonly objectId: string; readonly version: string; readonly digest: string };
  /** Parameters of `iota_executeTransactionBlock`. */
  readonly params: readonly [bytes: string, signatures: readonly string[]];
  /** Submits it through the SDK; the same bytes each time. */
  readonly submit: () => Promise<{ readonly digest: string }>;
}

/** An unsubmitted transfer of `amount`, by a new account with coins unless `key` is given. */
export async function signedTransfer(
  devnet: TestDevnet,
  key?: Ed25519Keypair,
  amount = 1,
): Promise<SignedTransfer> {
  const sender = key ?? (await devnet.fundedKey());
  const tx = new Transaction();
  tx.transferObjects([tx.splitCoins(tx.gas, [amount])[0]], new Ed25519Keypair().toIotaAddress());
  tx.setSender(sender.toIotaAddress());
  const bytes = await tx.build({ client: devnet.client });
  const { signature } = await sender.signTransaction(bytes);
  const { objectId, version, digest } = tx.getData().gasData.payment![0]!;
  return {
    digest: await tx.getDigest(),
    sender,
    coin: { objectId, version: String(version), digest },
    params: [Buffer.from(bytes).toString('base64'), [signature]],
    submit: () =>
      devnet.client.executeTransactionBlock({ transactionBlock: bytes, signature: [signature] }),
  };
}

interface Counters {
  readonly requests: Record<string, number>;
  readonly executed: number;
  readonly submissions: Record<string, number>;
}

/** Devnet's counters. */
export async function countersOf(devnet: TestDevnet): Promise<Counters> {
  return (await devnet.control('GET', '/counters')) as Counters;
}
