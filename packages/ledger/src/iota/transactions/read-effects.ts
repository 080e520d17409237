import type { TransactionEffects } from '../../transaction-effects.js';
import type { NodeAnswer } from '../nodes/node-answer.js';

const COSTS = ['computationCost', 'storageCost', 'storageRebate', 'nonRefundableStorageFee'];

/**
 * Effects as the node serialises them. Throws `NodeFailure` when a field that settling needs is
 * malformed.
 */
export function readEffects(answer: NodeAnswer): TransactionEffects {
  answer.field('status').field('status').text();
  answer.field('executedEpoch').amount();
  for (const cost of COSTS) answer.field('gasUsed').field(cost).amount();
  const reference = answer.field('gasObject').field('reference');
  reference.field('objectId').text();
  reference.field('version').natural();
  reference.field('digest').text();
  return answer.raw as TransactionEffects;
}
