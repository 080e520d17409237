import type { EngineInterface } from '../engine/engine-interface.js';
import type { FullNode } from '../engine/full-node.js';

/** Grants coins and waits until reads show them, because their receiver will use them. */
export async function mintShown(
  engine: EngineInterface,
  fullNode: FullNode,
  recipient: string,
  amounts: readonly bigint[],
): ReturnType<EngineInterface['mint']> {
  const minted = await engine.mint(recipient, amounts);
  await fullNode.untilShown(minted.transaction.sequence);
  return minted;
}

/** A coin granted by the faucet, in its wire format; `amount` is in the smallest unit. */
export interface GrantedCoin {
  readonly amount: number;
  readonly id: string;
  readonly transferTxDigest: string;
}

/** Each grant is one transaction of the faucet with `count` coins of `amount`. */
export function grantFrom(
  engine: EngineInterface,
  fullNode: FullNode,
  amount: bigint,
  count: number,
): GrantCoins {
  const amounts = Array.from({ length: count }, () => amount);
  return async (recipient) => {
    const { transaction, coins } = await mintShown(engine, fullNode, recipient, amounts);
    return coins.map(({ objectId }) => ({
      amount: Number(amount),
      id: objectId,
      transferTxDigest: transaction.digest,
    }));
  };
}

/** Sends coins to the recipient and returns them. */
export type GrantCoins = (recipient: string) => Promise<readonly GrantedCoin[]>;
