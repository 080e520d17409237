import {
  type CoinStoreRedis,
  historyStreamKey,
  listSponsors,
  rebuiltStreamKey,
} from '@forecourt/coin-store';
import type { TransactionDecoder } from '@forecourt/sponsorship';
import type { Logger } from '@forecourt/runtime/service';
import { type Database, lockForTransaction } from '../database/database.js';
import type { Partitions } from '../database/partitions.js';
import { DAY_MS } from '../database/record-ids.js';
import type { HistoryMetrics } from '../metrics/history-metrics.js';
import type { StreamEntry } from '../streams/entry-source.js';
import { eventsOfEnded } from '../webhooks/delivery-outbox.js';
import { insertCorrections } from './insert-corrections.js';
import { keepBrokenEntries } from './keep-broken-entries.js';
import { readEntries } from './read-entries.js';
import { readCorrection } from './read-rebuilt.js';
import type { EventOutbox } from './record-writer.js';
import type { RecordedNetwork } from './recorded-network.js';

const MOST_TOGETHER = 500;

/**
 * Writes the transactions that pools have found on the ledger. A transaction may be recorded already, or its entry may still wait
 * in the pool's own stream: that is written first, since it knows more, and each transaction is recorded once.
 */
export class RebuiltWriter {
  constructor(
    private readonly redis: CoinStoreRedis,
    private readonly database: Database,
    private readonly network: Pick<RecordedNetwork, 'require'>,
    private readonly partitions: Partitions,
    private readonly decoder: TransactionDecoder,
    private readonly outbox: EventOutbox,
    private readonly metrics: Pick<HistoryMetrics, 'countRebuilt'>,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /**
   * Rejects when Redis or the database does not answer, or a pool is another network's; what was not written is written later.
   */
  async write(): Promise<void> {
    for (const sponsor of (await listSponsors(this.redis)).values()) {
      while ((await this.writeSome(sponsor)) === MOST_TOGETHER);
    }
  }

  /** Those that are older than every entry of the pool's own stream. */
  private async findReady(sponsor: string): Promise<readonly StreamEntry[]> {
    const key = rebuiltStreamKey(sponsor);
    const found = await this.redis.xrange(key, '-', '+', 'COUNT', MOST_TOGETHER);
    if (found.length === 0) return [];
    const own = await this.redis.xrange(historyStreamKey(sponsor), '-', '+', 'COUNT', 1);
    const oldest = own[0]?.[0];
    return found
      .filter(([id]) => oldest === undefined || isBefore(id, oldest))
      .map(([id, pairs]) => ({ id, pairs }));
  }

  /** Returns the number of entries that are written. Those of a later release are left to its replicas. */
  private async writeSome(sponsor: string): Promise<number> {
    const entries = await this.findReady(sponsor);
    if (entries.length === 0) return 0;
    await this.network.require(sponsor);
    const key = rebuiltStreamKey(sponsor);
    const { read, broken } = readEntries(entries, (entry) =>
      readCorrection(this.decoder, sponsor, entry),
    );
    const corrections = read.map(({ record }) => record);
    // A record whose id another one has may move to the time of its execution, and by some ms.
    const times = corrections.flatMap(({ record, at }) => [record?.created_at ?? at, at]);
    await this.partitions.ensure(times.flatMap((at) => [at, at - DAY_MS]));
    const { records, receivers } = await this.database.transaction(async (client) => {
      await lockForTransaction(client, 'records');
      await keepBrokenEntries(client, key, broken);
      const inserted = await insertCorrections(client, sponsor, corrections);
      const added = await this.outbox.add(client, inserted.flatMap(eventsOfEnded));
      return { records: inserted, receivers: added };
    });
    void this.outbox.wake(receivers);
    if (records.length > 0) {
      const fields = { sponsor, transactions: records.length };
      this.logger.warn(
        fields,
        'Transactions recorded from the ledger: no pool had a record of them',
      );
    }
    this.metrics.countRebuilt(sponsor, records.length);
    const done = [...read, ...broken].map(({ entry }) => entry.id);
    if (done.length > 0) await this.redis.xdel(key, ...done);
    return done.length;
  }
}

/** Compares ids of entries, `<ms>-<sequence>`. */
function isBefore(a: string, b: string): boolean {
  const [ms = 0, sequence = 0] = a.split('-').map(Number);
  const [otherMs = 0, otherSequence = 0] = b.split('-').map(Number);
  return ms === otherMs ? sequence < otherSequence : ms < otherMs;
}
