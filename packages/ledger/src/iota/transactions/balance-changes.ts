import { normalizeStructTag } from '@iota/iota-sdk/utils';
import type { TransactionEffects } from '../../executed-transaction.js';
import { netGas } from '../../sponsor-cost.js';
import type { BalanceChange } from '../../ledger.js';
import { NodeAnswer } from '../answers/node-answer.js';
import { readShownChanges } from '../answers/read-transaction.js';

const GAS_TYPE = normalizeStructTag('0x2::iota::IOTA');

/** See `LedgerCodec.readBalanceChanges`. */
export function readBalanceChanges(
  nodeChanges: unknown,
  gasOwner: string,
  effects: Pick<TransactionEffects, 'gasUsed'>,
): BalanceChange[] {
  const changes = readShownChanges(new NodeAnswer('balance changes', nodeChanges));
  const gas = { owner: gasOwner, coinType: GAS_TYPE, amount: netGas(effects) };
  const totals = Map.groupBy([...changes, gas], ({ owner, coinType }) => `${owner} ${coinType}`);
  return [...totals.values()]
    .map((same) => ({ ...same[0]!, amount: same.reduce((sum, { amount }) => sum + amount, 0n) }))
    .filter(({ amount }) => amount !== 0n);
}
