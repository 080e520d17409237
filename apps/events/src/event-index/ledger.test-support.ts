import { setTimeout as delay } from 'node:timers/promises';
import {
  compareEventIds,
  type EventId,
  type LedgerEvent,
  nextEventId,
  type StoredEventRecord,
} from '@forecourt/contracts';
import { describeEvent } from '../event-matching/event-traits.js';
import {
  CheckpointChain,
  type LinkedCheckpoint,
  type EventSource,
} from '../upstreams/event-source.js';
import {
  CheckpointMissing,
  HistoryPruned,
  TransactionInconvertible,
  UpstreamFailed,
} from '../upstreams/upstream-errors.js';

const POLL_MS = 2;

export const address = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;

/** Equal to one of `count` values, mostly the first ones. */
const skewed = (n: number, count: number) => (((n * 2_654_435_761) >>> 8) ** 2 % 1_000_003) % count;

/** A ledger in memory, with events of every kind. */
export class TestLedger {
  readonly records: StoredEventRecord[] = [];
  /** First transaction of each checkpoint, and of the next one. */
  readonly starts: number[];
  #time = 1_795_000_000_000;
  readonly #times: number[] = [];
  #serial = 0;

  /** `name`: distinguishes its digests from those of other ledgers. */
  constructor(
    firstTransaction = 0,
    readonly name = 'ours',
    private readonly isEmpty: (checkpoint: number) => boolean = () => false,
  ) {
    this.starts = [firstTransaction];
  }

  get latest(): number {
    return this.starts.length - 2;
  }

  linkOf(number: number): LinkedCheckpoint {
    const total = this.starts[number + 1]!;
    const digestOf = (one: number) => `${this.name} ${one}`;
    return {
      number,
      digest: digestOf(number),
      previousDigest: number === 0 ? null : digestOf(number - 1),
      total,
      lastTransaction: this.starts[number] === total ? null : this.digestOf(total - 1),
      at: this.#times[number]!,
    };
  }

  /** Adds checkpoints of a few transactions each. `texts` go into the fields of Move events. */
  grow(checkpoints: number, texts: readonly string[] = ['']): void {
    for (let added = 0; added < checkpoints; added++) {
      const number = this.starts.length - 1;
      const transactions = 1 + (number % 3);
      const first = this.starts[number]!;
      this.#time += number % 4 === 0 ? 0 : 700;
      this.#times.push(this.#time);
      if (this.isEmpty(number)) {
        this.addEmpty(number);
        continue;
      }
      for (let one = 0; one < transactions; one++) {
        const events = this.eventsOf(texts);
        if (one === transactions - 1) {
          if (number % 10 === 9) events.push({ epochChange: (number + 1) / 10 });
          events.push({ checkpoint: number });
        }
        this.add(first + one, events);
      }
      this.starts.push(first + transactions);
    }
  }

  private addEmpty(checkpoint: number): void {
    const { id, txDigest } = this.records.at(-1)!;
    const timestamp = this.#time;
    this.records.push({ timestamp, txDigest, id: nextEventId(id), event: { checkpoint } });
    this.starts.push(this.starts.at(-1)!);
  }

  /** Lets the next checkpoint begin with a later transaction, as if all before had had no events. */
  jumpTo(transaction: number): void {
    this.starts[this.starts.length - 1] = transaction;
  }

  /** The sender of the first event that has one, from a record on. */
  senderOf(index: number): string {
    const traits = this.records.slice(index).map(({ event }) => describeEvent(event).sender);
    return traits.find((sender) => sender !== null)!;
  }

  private eventsOf(texts: readonly string[]): LedgerEvent[] {
    const n = (this.#serial += 1);
    const sender = address(skewed(n, 5));
    const packageId = address(0xdec0 + (n % 2));
    const origin = { packageId, transactionModule: n % 3 ? 'garage' : 'shop', sender };
    const object = { objectId: address(0xcafe + skewed(n, 9)), version: n };
    const recipient = { AddressOwner: address(skewed(n + 7, 4)) };
    const type = `${packageId}::garage::Car`;
    const fields = {
      n: String(2n ** 64n - BigInt(n)),
      text: texts[n % texts.length],
      deep: [{ n }],
    };
    const all: LedgerEvent[] = [
      { moveEvent: { ...origin, type: `${type}Driven`, fields, bcs: 'AAEC' } },
      { publish: { sender, packageId } },
      { newObject: { ...origin, ...object, recipient, objectType: type } },
      { transferObject: { ...origin, ...object, recipient, type } },
      { newObject: { ...origin, ...object, recipient: { Shared: { initial_shared_version: 1 } } } },
      { deleteObject: { ...origin, ...object } },
    ];
    return all.filter((_event, index) => (n + index) % (index + 1) === 0);
  }

  private digestOf(txSeq: number): string {
    return Buffer.alloc(32, `${this.name} ${txSeq}`).toString('base64');
  }

  private add(txSeq: number, events: readonly LedgerEvent[]): void {
    const txDigest = this.digestOf(txSeq);
    for (const [eventSeq, event] of events.entries()) {
      this.records.push({ timestamp: this.#time, txDigest, id: { txSeq, eventSeq }, event });
    }
  }
}

/** A node of a `TestLedger` whose behaviour a test changes. */
export class TestNode implements EventSource {
  lowest = 0;
  isDown = false;
  /** A transaction that it cannot show. */
  broken: number | null = null;
  identifier = 'chain';
  /** Checkpoints that it does not show yet. */
  lag = 0;
  /** Records that it has delivered. */
  delivered = 0;
  /** False: as in a dialect without digests of checkpoints. */
  showsDigests = true;

  constructor(
    readonly name: string,
    public ledger: TestLedger,
  ) {}

  getEvents(): Promise<never> {
    throw new Error('The index must not query nodes');
  }

  newest = async () => this.ledger.records.at(-1) ?? null;
  latestCheckpoint = async () => this.answer(this.ledger.latest - this.lag);
  lowestCheckpoint = async () => this.answer(this.lowest);
  ledgerIdentity = async () =>
    this.answer({ chainIdentifier: this.identifier, genesisTransaction: null });

  async firstTransactionOf(checkpoint: number): Promise<number> {
    if (checkpoint < this.lowest) throw this.pruned();
    const found = this.answer(this.ledger.starts[checkpoint]);
    if (found === undefined) throw new UpstreamFailed(`no checkpoint ${checkpoint}`);
    return found;
  }

  async *follow(
    from: EventId,
    signal: AbortSignal,
    chain = new CheckpointChain(null),
  ): AsyncGenerator<readonly StoredEventRecord[]> {
    const last = this.ledger.records.find(
      ({ event }) => 'checkpoint' in event && event.checkpoint === chain.last?.number,
    );
    let next = last && compareEventIds(from, last.id) <= 0 ? nextEventId(last.id) : from;
    let size = 0;
    yield [];
    while (!signal.aborted) {
      this.answer(null);
      const { ledger } = this;
      const isKept = chain.last
        ? chain.last.number + 1 >= this.lowest
        : next.txSeq + 1 >= ledger.starts[this.lowest]!;
      if (!isKept) throw this.pruned();
      const end = ledger.starts[ledger.latest + 1 - this.lag]!;
      const at = firstFrom(ledger.records, next);
      // Portions of any size, which end anywhere in a checkpoint.
      size = 1 + ((size * 7 + at) % 50);
      const portion = ledger.records
        .slice(at, at + size)
        .filter(
          ({ id, event }) =>
            id.txSeq < end &&
            !('checkpoint' in event && event.checkpoint > ledger.latest - this.lag),
        );
      const broken = portion.findIndex(({ id }) => id.txSeq === this.broken);
      const shown = broken === -1 ? portion : portion.slice(0, broken);
      const sealed = shown.flatMap(({ event }) =>
        'checkpoint' in event ? ledger.linkOf(event.checkpoint) : [],
      );
      if (this.showsDigests) chain.link(sealed);
      this.delivered += shown.length;
      if (shown.length > 0) yield shown;
      for (const one of sealed) chain.delivered(one);
      if (broken !== -1) throw new TransactionInconvertible('digest', this.broken, 'broken');
      if (shown.length === 0) await delay(POLL_MS);
      else next = nextEventId(shown.at(-1)!.id);
    }
  }

  async *checkpoints(first: number, last: number): AsyncGenerator<readonly LinkedCheckpoint[]> {
    this.answer(null);
    if (!this.showsDigests) return;
    const step = last < first ? -1 : 1;
    for (let next = first; (last - next) * step >= 0; next += step) {
      if (next < this.lowest) throw this.pruned();
      const { ledger } = this;
      if (next > ledger.latest - this.lag) throw new CheckpointMissing(next, 'lag');
      yield [ledger.linkOf(next)];
    }
  }

  private answer<T>(value: T): T {
    if (this.isDown) throw new UpstreamFailed(`${this.name} is down`);
    return value;
  }

  private pruned(): HistoryPruned {
    return new HistoryPruned({
      checkpoint: this.lowest,
      txSeq: this.ledger.starts[this.lowest]!,
    });
  }
}

/** The index of the first record at or after a position. */
function firstFrom(records: readonly StoredEventRecord[], from: EventId): number {
  let [low, high] = [0, records.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareEventIds(records[middle]!.id, from) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
