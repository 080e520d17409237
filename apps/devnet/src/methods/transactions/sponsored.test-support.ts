import type { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import type { TestDevnet } from '../../testing/start-test-devnet.test-support.js';

export const SHOW_ALL = {
  showInput: true,
  showRawInput: true,
  showEffects: true,
  showRawEffects: true,
  showEvents: true,
  showObjectChanges: true,
  showBalanceChanges: true,
};

/** A call by `user` paid by `sponsor`, built and signed by both. */
export async function sponsored(
  devnet: TestDevnet,
  user: Ed25519Keypair,
  sponsor: Ed25519Keypair,
  tx: Transaction,
) {
  tx.setSender(user.toIotaAddress());
  tx.setGasOwner(sponsor.toIotaAddress());
  const transactionBlock = await tx.build({ client: devnet.client });
  const signature = [
    (await user.signTransaction(transactionBlock)).signature,
    (await sponsor.signTransaction(transactionBlock)).signature,
  ];
  return { transactionBlock, signature };
}

export function buildCar({ engine }: TestDevnet, owner: string): Transaction {
  const tx = new Transaction();
  tx.moveCall({
    target: `${engine.demo.packageId}::garage::build_car`,
    arguments: [tx.pure.string('Kadett'), tx.pure.address(owner)],
  });
  return tx;
}
