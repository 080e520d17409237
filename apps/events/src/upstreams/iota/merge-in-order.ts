import type { TransactionRecords } from './transactions.js';

type Stream = AsyncGenerator<readonly TransactionRecords[]>;

/** Merges two streams of transactions in ledger order; a transaction in both is returned once. */
export async function* mergeInOrder(a: Stream, b: Stream, descending: boolean): Stream {
  const [left, right] = [new Head(a), new Head(b)];
  for (;;) {
    const next = firstOf(await left.peek(), await right.peek(), descending);
    if (next === null) return;
    left.skip(next);
    right.skip(next);
    yield [next];
  }
}

function firstOf(
  a: TransactionRecords | null,
  b: TransactionRecords | null,
  descending: boolean,
): TransactionRecords | null {
  if (a === null || b === null) return a ?? b;
  const isBefore = txSeqOf(a) < txSeqOf(b);
  return isBefore !== descending ? a : b;
}

function txSeqOf([first]: TransactionRecords): number {
  return first!.id.txSeq;
}

/** The next transaction of a stream. */
class Head {
  #page: readonly TransactionRecords[] = [];
  #at = 0;
  #ended = false;

  constructor(private readonly stream: Stream) {}

  async peek(): Promise<TransactionRecords | null> {
    while (this.#at >= this.#page.length && !this.#ended) {
      const next = await this.stream.next();
      this.#ended = next.done === true;
      this.#page = next.done ? [] : next.value.filter((records) => records.length > 0);
      this.#at = 0;
    }
    return this.#page[this.#at] ?? null;
  }

  /** Moves on if `records` is the next transaction here. */
  skip(records: TransactionRecords): void {
    const here = this.#page[this.#at];
    if (here && txSeqOf(here) === txSeqOf(records)) this.#at += 1;
  }
}
