import type { EngineInterface } from '../engine/engine-interface.js';
import { mintShown } from './mint-shown.js';
import type { FullNode } from '../engine/full-node.js';
import type { GrantCoins } from './register-faucet-routes.js';

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
