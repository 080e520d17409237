import { TransactionInconvertible } from '../transaction-inconvertible.js';
import type { TransactionRecords } from './transactions.js';

type Stream = AsyncGenerator<readonly TransactionRecords[]>;

/**
 * Merges two streams of transactions in ledger order; a transaction in both is returned once. Throws the
 * errors of a stream: for a transaction that cannot be converted, after all earlier ones in both streams.
 */
export async function* mergeInOrder(a: Stream, b: Stream, descending: boolean): Stream {
  const [left, right] = [new Head(a), new Head(b)];
  for (;;) {
    const next = firstOf(await left.peek(), await right.peek(), descending);
    if (next === null) return;
    if (next instanceof TransactionInconvertible) throw next;
    left.skip(next);
    right.skip(next);
    yield [next];
  }
}

/** A transaction's events, or the reason why there are none. */
type Next = TransactionRecords | TransactionInconvertible;

function firstOf(a: Next | null, b: Next | null, descending: boolean): Next | null {
  if (a === null || b === null) return a ?? b;
  const isBefore = txSeqOf(a) < txSeqOf(b);
  return isBefore !== descending ? a : b;
}

function txSeqOf(next: Next): number {
  return next instanceof TransactionInconvertible ? (next.txSeq ?? 0) : next[0]!.id.txSeq;
}

/** The next transaction of a stream. */
class Head {
  #page: readonly TransactionRecords[] = [];
  #index = 0;
  #end: 'open' | 'ended' | TransactionInconvertible = 'open';

  constructor(private readonly stream: Stream) {}

  async peek(): Promise<Next | null> {
    while (this.#index >= this.#page.length && this.#end === 'open') await this.read();
    const here = this.#page[this.#index];
    if (here) return here;
    return this.#end instanceof TransactionInconvertible ? this.#end : null;
  }

  /** Advances if `records` is the next transaction here. */
  skip(records: TransactionRecords): void {
    const here = this.#page[this.#index];
    if (here && txSeqOf(here) === txSeqOf(records)) this.#index += 1;
  }

  private async read(): Promise<void> {
    this.#page = [];
    this.#index = 0;
    try {
      const next = await this.stream.next();
      if (next.done) this.#end = 'ended';
      else this.#page = next.value.filter((records) => records.length > 0);
    } catch (error) {
      if (!(error instanceof TransactionInconvertible) || error.txSeq === null) throw error;
      this.#end = error;
    }
  }
}
