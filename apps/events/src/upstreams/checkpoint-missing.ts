import { UnsupportedByUpstream } from './unsupported-by-upstream.js';

/**
 * The node skips a checkpoint that it must have, or shows one that does not continue the previous one.
 * `lowest`: the lowest checkpoint that the node has; absent: not read.
 */
export function checkpointMissing(
  sequenceNumber: number,
  reason: string,
  lowest?: number,
): UnsupportedByUpstream {
  const others = lowest === undefined ? '' : `, which has others from checkpoint ${lowest} on`;
  return new UnsupportedByUpstream(
    'gap',
    `Checkpoint ${sequenceNumber} is missing at the ledger node${others}: ${reason}`,
    { checkpoint: sequenceNumber, ...(lowest !== undefined && { lowest }) },
  );
}
