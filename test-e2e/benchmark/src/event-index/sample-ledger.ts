import type { LedgerEvent, StoredEventRecord } from '@forecourt/contracts';

export const TRANSACTIONS_PER_CHECKPOINT = 8;

const BEGAN_AT = 1_795_000_000_000;
const CHECKPOINT_MS = 250;
const PACKAGES = 500;
const USERS = 1_000_000;
const OBJECTS = 5_000_000;
const BCS = Buffer.alloc(96, 7).toString('base64');

/** The same numbers for the same seed. */
function randomsOf(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Few values are frequent, most are rare. */
const skewed = (random: () => number, count: number) => Math.floor(count * random() ** 6);

function addressOf(kind: number, n: number): string {
  return `0x${kind.toString(16)}${n.toString(16).padStart(15, '0')}${'5a'.repeat(24)}`;
}

/** The packages, senders, recipients and objects that have the numbers 0 (frequent) and so on. */
export const packageOf = (n: number) => addressOf(1, n);
export const userOf = (n: number) => addressOf(2, n);
export const objectOf = (n: number) => addressOf(3, n);

/** The events of a checkpoint in the mix of a public network: about 25. */
export function recordsOf(checkpoint: number): StoredEventRecord[] {
  const records: StoredEventRecord[] = [];
  const timestamp = timeOf(checkpoint);
  for (const [index, events] of transactionsOf(checkpoint).entries()) {
    const txSeq = checkpoint * TRANSACTIONS_PER_CHECKPOINT + index;
    if (index === TRANSACTIONS_PER_CHECKPOINT - 1) events.push({ checkpoint });
    const txDigest = digestOf(txSeq);
    for (const [eventSeq, event] of events.entries()) {
      records.push({ timestamp, txDigest, id: { txSeq, eventSeq }, event });
    }
  }
  return records;
}

/** The events of each transaction of a checkpoint, but for the checkpoint's own. */
export function transactionsOf(checkpoint: number): LedgerEvent[][] {
  const first = checkpoint * TRANSACTIONS_PER_CHECKPOINT;
  return Array.from({ length: TRANSACTIONS_PER_CHECKPOINT }, (_, index) => eventsOf(first + index));
}

export function digestOf(txSeq: number): string {
  const bytes = Buffer.alloc(32, 1);
  bytes.writeDoubleBE(txSeq, 0);
  bytes.writeUInt32BE(Math.imul(txSeq, 2_654_435_761) >>> 0, 8);
  return bytes.toString('base64');
}

export function txSeqOf(digest: string): number {
  return Buffer.from(digest, 'base64').readDoubleBE(0);
}

export function timeOf(checkpoint: number): number {
  return BEGAN_AT + checkpoint * CHECKPOINT_MS;
}

function eventsOf(txSeq: number): LedgerEvent[] {
  const random = randomsOf(txSeq);
  const sender = userOf(skewed(random, USERS));
  const packageId = packageOf(skewed(random, PACKAGES));
  const origin = { packageId, transactionModule: 'market', sender };
  const anObject = () => ({ objectId: objectOf(skewed(random, OBJECTS)), version: txSeq });
  const recipient = () => ({ AddressOwner: userOf(skewed(random, USERS)) });
  const events: LedgerEvent[] = [];
  for (let n = Math.floor(random() * 4); n > 0; n--) {
    const type = `${packageId}::market::${n === 1 ? 'Swapped' : 'Filled'}`;
    const fields = {
      pool: objectOf(skewed(random, 1_000)),
      amount: String(txSeq * 997),
      price: '1',
    };
    events.push({ moveEvent: { ...origin, type, fields, bcs: BCS } });
  }
  if (random() < 0.001) events.push({ publish: { sender, packageId } });
  const objectType = `0x2::coin::Coin<${packageId}::token::TOKEN>`;
  if (random() < 0.7) {
    events.push({ newObject: { ...origin, ...anObject(), recipient: recipient(), objectType } });
  }
  if (random() < 0.4) {
    const type = objectType;
    events.push({ transferObject: { ...origin, ...anObject(), recipient: recipient(), type } });
  }
  if (random() < 0.4) events.push({ deleteObject: { ...origin, ...anObject() } });
  return events;
}
