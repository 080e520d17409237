import { type Counter, Metrics } from '@forecourt/runtime/metrics';
import { Injectable } from '@nestjs/common';
import type { WrittenEntries } from '../streams/written-entries.js';

type EntryLabels = {
  readonly stream: string;
  readonly result: 'written' | 'repeated' | 'broken' | 'rebuilt';
};

/** Metrics of writing. `stream`: the sponsor, or `refusals`. */
@Injectable()
export class HistoryMetrics {
  readonly failures: Counter<{ stream: string }>;
  private readonly entries: Counter<EntryLabels>;

  constructor(metrics: Metrics) {
    this.entries = metrics.counter<EntryLabels>({
      name: 'history_entries_total',
      labels: ['stream', 'result'],
      help: 'Entries of the streams by result; repeated: it had been written before; broken: it cannot be read or stored, and is kept in the table broken_entries; rebuilt: recorded from the ledger, because no pool had a record of it.',
    });
    this.failures = metrics.counter<{ stream: string }>({
      name: 'history_write_failures_total',
      labels: ['stream'],
      help: 'Failed reads, writes and acknowledgements of history. Each is repeated.',
    });
  }

  countRebuilt(stream: string, records: number): void {
    this.entries.add({ stream, result: 'rebuilt' }, records);
  }

  count(stream: string, { done, inserted, broken }: WrittenEntries): void {
    this.entries.add({ stream, result: 'written' }, inserted);
    this.entries.add({ stream, result: 'broken' }, broken);
    this.entries.add({ stream, result: 'repeated' }, done.length - inserted - broken);
  }
}
