import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { rememberAnswer } from '@forecourt/resilience';
import { Metrics } from '@forecourt/runtime/metrics';
import type { Indicator } from '@forecourt/runtime/service';
import { Upstreams } from '../upstreams/upstreams.js';
import { INDEX, type IndexParts } from './assemble-index.js';
import { measureBytes, measureIndex } from './store/indexed-ledger.js';

const FRESH_MS = 5_000;
const BYTES_FRESH_MS = 60_000;
const REASONS = ['waiting', 'pruned', 'inconvertible', 'gap'] as const;

/** Exports the end of the index, its holes, and its size. */
@Injectable()
export class IndexMetrics implements OnModuleInit {
  constructor(
    private readonly metrics: Metrics,
    @Inject(INDEX) private readonly parts: IndexParts,
    private readonly upstreams: Upstreams,
  ) {}

  onModuleInit(): void {
    const { pool } = this.parts.database.primary;
    const size = rememberAnswer(() => measureIndex(pool), FRESH_MS);
    const bytes = rememberAnswer(() => measureBytes(pool), BYTES_FRESH_MS);
    this.exportWork();
    this.gauge(
      'events_index_lag_checkpoints',
      'How many checkpoints the index is behind the ledger node.',
      async () => {
        const [{ lastCheckpoint }, latest] = await Promise.all([
          size(),
          this.upstreams.current.latestCheckpoint(),
        ]);
        return lastCheckpoint === null || latest === null
          ? null
          : Math.max(0, latest - lastCheckpoint);
      },
    );
    this.gauge('events_index_bytes', 'Size of the index in the database.', bytes);
    this.metrics.figures<{ reason: string }>({
      name: 'events_index_missing_checkpoints',
      labels: ['reason'],
      help: 'Checkpoints that the index does not have: waiting to be read, or delivered by no node.',
      read: async () => {
        const { missing } = await size();
        return REASONS.map((reason) => [{ reason }, missing[reason] ?? 0]);
      },
    });
  }

  private exportWork(): void {
    const { progress, queries } = this.parts;
    this.gauge('events_index_writer', 'Whether this process writes the index (1) or not (0).', () =>
      Number(progress.isWriter),
    );
    this.gauge(
      'events_index_other_ledger',
      'Whether a ledger node serves another ledger than the index holds (1) or not (0).',
      () => Number(progress.otherLedger),
    );
    this.metrics.figures<{ work: string }>({
      name: 'events_index_events_written_total',
      labels: ['work'],
      kind: 'counter',
      help: 'Events written to the index: new ones, and past ones of a backfill.',
      read: () => Object.entries(progress.written).map(([work, count]) => [{ work }, count]),
    });
    this.metrics.figures<{ database: string }>({
      name: 'events_index_reads_total',
      labels: ['database'],
      kind: 'counter',
      help: 'Pages read from the primary database and from its read replica.',
      read: () =>
        Object.entries(queries.reads.totals).map(([database, count]) => [{ database }, count]),
    });
  }

  private gauge(
    name: string,
    help: string,
    read: () => number | null | Promise<number | null>,
  ): void {
    this.metrics.figures({
      name,
      help,
      read: async () => {
        const value = await read();
        return value === null ? [] : [[{}, value]];
      },
    });
  }
}

/** Injection token of the index's indicator; null without an index. */
export const INDEX_INDICATOR = Symbol('INDEX_INDICATOR');

/**
 * Whether the database of the index answers and holds the ledger that the node serves, how far the index
 * reaches and what is missing in it.
 */
export function indexIndicator({ database, progress, queries }: IndexParts): Indicator {
  return {
    name: 'index',
    check: async () => {
      await queries.requireSameLedger();
      const { firstCheckpoint, lastCheckpoint, missing } = await measureIndex(
        database.primary.pool,
      );
      const { isWriter, upstream, otherLedger } = progress;
      return { firstCheckpoint, lastCheckpoint, missing, isWriter, upstream, otherLedger };
    },
  };
}
