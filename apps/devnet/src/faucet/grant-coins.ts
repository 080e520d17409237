import type { EngineInterface } from '../engine/engine-interface.js';
import type { GrantCoins } from './register-faucet-routes.js';

/** Each grant is one transaction of the faucet with `count` coins of `amount`. */
export function grantFrom(engine: EngineInterface, amount: bigint, count: number): GrantCoins {
  const amounts = Array.from({ length: count }, () => amount);
  return async (recipient) => {
    const { transaction, coins } = await engine.mint(recipient, amounts);
    return coins.map(({ objectId }) => ({
      amount: Number(amount),
      id: objectId,
      transferTxDigest: transaction.digest,
    }));
  };
}
