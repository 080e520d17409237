import type { StoredEventRecord } from '@forecourt/contracts';
import { CheckpointChain, type SealedCheckpoint } from '../upstreams/checkpoint-chain.js';
import type { EventSource, LedgerIdentity } from '../upstreams/event-source.js';
import { isOtherLedger } from '../upstreams/ledger-identity.js';
import { UpstreamFailed } from '../upstreams/upstream-errors.js';

/** The end of a node's ledger. */
export interface Tip {
  readonly newest: StoredEventRecord | null;
  /** Ends with the newest checkpoint. */
  readonly chain: CheckpointChain;
  readonly checkpoint: number | null;
}

/** `identity`: of the node, before this call. Throws `UpstreamFailed` if the node serves another ledger after it. */
export async function findTip(source: EventSource, identity: LedgerIdentity): Promise<Tip> {
  const newest = await source.newest();
  const chain = new CheckpointChain(await findSealed(source, newest));
  const checkpoint = await source.latestCheckpoint();
  if (isOtherLedger(identity, await source.ledgerIdentity())) {
    throw new UpstreamFailed(`${source.name} serves several ledgers by turns`);
  }
  return { newest, chain, checkpoint };
}

/** The checkpoint that ends with an event; null: it is not known. */
async function findSealed(
  source: EventSource,
  newest: StoredEventRecord | null,
): Promise<SealedCheckpoint | null> {
  if (newest === null || !('checkpoint' in newest.event)) return null;
  const { checkpoint } = newest.event;
  for await (const [sealed] of source.checkpoints(checkpoint, checkpoint)) return sealed ?? null;
  return null;
}
