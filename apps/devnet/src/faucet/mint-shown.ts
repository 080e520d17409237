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
