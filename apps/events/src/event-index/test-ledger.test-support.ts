import { type LedgerEvent, nextEventId, type StoredEventRecord } from '@forecourt/contracts';
import { describeEvent } from '../event-matching/event-traits.js';
import type { LinkedCheckpoint } from '../upstreams/sealed-checkpoint.js';

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
      time: this.#times[number]!,
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
