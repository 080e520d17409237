import type { NodeCheckpoint } from '../client/node-client.js';
import type { NodeAnswer } from './node-answer.js';

/** Throws `NodeFailure` where a field is malformed. */
export function readCheckpoint(answer: NodeAnswer): NodeCheckpoint {
  for (const name of ['epoch', 'timestampMs', 'networkTotalTransactions']) {
    answer.field(name).natural();
  }
  const isFirst = answer.field('sequenceNumber').natural() === 0;
  answer.field('digest').text();
  const previous = answer.field('previousDigest');
  if (!isFirst || !previous.isAbsent) previous.text();
  for (const digest of answer.field('transactions').items()) digest.text();
  return answer.raw as NodeCheckpoint;
}
