import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import type { TestDevnet } from '../testing/start-test-devnet.js';

/** A signed transfer that nobody has submitted. */
export async function signedTransfer(devnet: TestDevnet, key?: Ed25519Keypair) {
  const sender = key ?? (await devnet.fundedKey());
  const tx = new Transaction();
  tx.transferObjects([tx.splitCoins(tx.gas, [1])[0]], new Ed25519Keypair().toIotaAddress());
  tx.setSender(sender.toIotaAddress());
  const transactionBlock = await tx.build({ client: devnet.client });
  const { signature } = await sender.signTransaction(transactionBlock);
  const digest = await tx.getDigest();
  const coin = tx.getData().gasData.payment![0]!;
  const submit = () =>
    devnet.client.executeTransactionBlock({ transactionBlock, signature: [signature] });
  return { digest, submit, coin, sender };
}

interface Counters {
  readonly requests: Record<string, number>;
  readonly executed: number;
  readonly submissions: Record<string, number>;
}

export async function countersOf(devnet: TestDevnet): Promise<Counters> {
  return (await devnet.control('GET', '/counters')) as Counters;
}
