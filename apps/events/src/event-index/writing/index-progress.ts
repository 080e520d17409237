import type { LedgerIdentity } from '../../upstreams/event-source.js';
import type { Place } from '../store/indexed-ledger.js';
import type { CheckpointBatch } from './checkpoint-sink.js';

/** The work of this process for the index, for metrics, probes and the pace of the backfill. */
export class IndexProgress {
  /** Whether this process is the one that writes. */
  isWriter = false;
  /** The node that it writes from. */
  upstream: string | null = null;
  /** Whether a node serves another ledger than the index holds. */
  otherLedger = false;
  identity: LedgerIdentity | null = null;
  end: Place | null = null;
  endAt: number | null = null;
  readonly written = { live: 0, backfilled: 0 };
  /** Whether events wait to be written at the end of the index. */
  pending: () => boolean = () => false;

  opened(identity: LedgerIdentity, end: Place, endAt: number | null): void {
    this.identity = identity;
    this.end = end;
    this.endAt = endAt;
  }

  connected(upstream: string): void {
    this.otherLedger = false;
    this.upstream = upstream;
  }

  wrote({ end, endAt, records, empty }: CheckpointBatch, upstream: string): void {
    this.end = end;
    this.endAt = endAt;
    this.upstream = upstream;
    this.written.live += records.length + empty.length;
  }
}
