import type { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import { signatureBcs } from './execute-item.test-support.js';
import type { TestDevnet } from './start-test-devnet.test-support.js';

/** A coin as an input. */
export interface Coin {
  readonly objectId: string;
  readonly version: string;
  readonly digest: string;
}

/** The coins of an account, by id. */
export async function coinsOf(devnet: TestDevnet, key: Ed25519Keypair): Promise<Coin[]> {
  const { data } = await devnet.client.getCoins({ owner: key.toIotaAddress() });
  return data.map(({ coinObjectId: objectId, version, digest }) => {
    return { objectId, version, digest };
  });
}

/** A transaction of `sender`, who pays with the first coin unless `fill` says otherwise; not signed. */
export async function buildPaid(
  devnet: TestDevnet,
  sender: Ed25519Keypair,
  fill: (tx: Transaction, coins: readonly Coin[]) => void = () => undefined,
): Promise<Uint8Array> {
  const coins = await coinsOf(devnet, sender);
  const tx = new Transaction();
  tx.setSender(sender.toIotaAddress());
  tx.setGasPrice(1_000);
  tx.setGasBudget(10_000_000);
  tx.setGasPayment(coins.slice(0, 1));
  fill(tx, coins);
  return tx.build();
}

/** The transaction as an item of `ExecuteTransactions`, signed by these keys. */
export async function signedItem(bytes: Uint8Array, ...signers: readonly Ed25519Keypair[]) {
  const signed = await Promise.all(signers.map((signer) => signer.signTransaction(bytes)));
  return {
    transaction: { bcs: { data: bytes } },
    signatures: {
      signatures: signed.map(({ signature }) => ({ bcs: { data: signatureBcs(signature) } })),
    },
  };
}
