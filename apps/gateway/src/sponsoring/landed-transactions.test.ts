import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ForecourtError } from '@forecourt/contracts';
import { LEDGER } from '@forecourt/runtime/ledger';
import { LOGGER } from '@forecourt/runtime/service';
import { Test } from '@nestjs/testing';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { LandedTransactions } from './landed-transactions.js';
import { partsOf } from './transaction-parts.js';

const LIMIT = 3;
const transaction = { digest: 'D', effects: {} };
const unknown = new ForecourtError('RESERVATION_UNKNOWN', '64');

/** The digests that the node was asked for. */
let reads: string[];
/** The digests that the node shows. */
let knownDigests: Set<string>;
let readParts: (...call: unknown[]) => Promise<object>;
let warned: unknown[];
let landed: LandedTransactions;

beforeEach(async () => {
  [reads, knownDigests, warned] = [[], new Set(['D']), []];
  const ledger = {
    async findTransaction(digest: string) {
      reads.push(digest);
      return knownDigests.has(digest) ? { digest, effects: {} } : null;
    },
    readTransactionParts: (...call: unknown[]) => readParts(...call),
  };
  const module = await Test.createTestingModule({
    providers: [
      LandedTransactions,
      { provide: LEDGER, useValue: ledger },
      { provide: GATEWAY_CONFIG, useValue: { maxRefusedExecutions: LIMIT } },
      { provide: LOGGER, useValue: { warn: (fields: unknown) => void warned.push(fields) } },
    ],
  }).compile();
  landed = module.get(LandedTransactions);
});

describe('transactions that have landed', () => {
  it('are read once, however often and however many at once they are asked for', async () => {
    const requests = Array.from({ length: 400 }, () => landed.find('D'));
    expect(await Promise.all(requests)).toEqual(requests.map(() => transaction));
    await landed.find('D');
    expect(reads).toEqual(['D']);
  });

  it('are read again as long as the node does not show them', async () => {
    knownDigests.clear();
    expect([await landed.find('D'), await landed.find('D')]).toEqual([null, null]);
    knownDigests.add('D');
    expect(await landed.find('D')).not.toBeNull();
    expect(reads).toHaveLength(3);
  });

  it('are limited for a caller only where they have to be read', async () => {
    jest.spyOn(performance, 'now').mockReturnValue(0);
    await landed.find('D');
    const ends: (string | undefined)[] = [];
    const count = (caller: string, digest: string) =>
      landed.countRepetition(caller, digest).then(
        () => ends.push('counted'),
        (error: ForecourtError) => ends.push(error.code),
      );
    for (let i = 0; i < 1_200; i++) await count('shop', 'other');
    await count('shop', 'other');
    await count('shop', 'D');
    await count('someone', 'other');
    expect(ends.slice(-4)).toEqual(['counted', 'REFUSED_TOO_OFTEN', 'counted', 'counted']);
  });
});

/** The ends of so many look-ups for a caller, all at once. */
async function endsOf(caller: string, count: number, refusal = unknown): Promise<string[]> {
  const ends = Array.from({ length: count }, () =>
    landed.findOrRefuse(caller, 'D', refusal).then(
      () => 'found',
      (error: ForecourtError) => error.code,
    ),
  );
  return Promise.all(ends);
}

describe('the look-up of a transaction that has left no trace here', () => {
  it('is refused to a caller with too many look-ups that found nothing, and to no other', async () => {
    knownDigests.clear();
    const notFound = Array<string>(LIMIT).fill('RESERVATION_UNKNOWN');
    const tooOften = ['REFUSED_TOO_OFTEN', 'REFUSED_TOO_OFTEN'];
    expect(await endsOf('shop', LIMIT + 2)).toEqual([...notFound, ...tooOften]);
    expect(await endsOf('other', LIMIT)).toEqual(notFound);
  });

  it('does not count transactions that the ledger has refused, which are counted already', async () => {
    knownDigests.clear();
    const refused = new ForecourtError('REFUSED_BY_LEDGER', 'gone');
    const ends = await endsOf('shop', LIMIT + 2, refused);
    expect(ends).toEqual(Array<string>(LIMIT + 2).fill('REFUSED_BY_LEDGER'));
  });

  it('does not count transactions that have landed', async () => {
    for (let turn = 0; turn < LIMIT + 2; turn++) expect(await endsOf('shop', 1)).toEqual(['found']);
  });
});

describe('the parts of a transaction that a request asks for', () => {
  it('are those that it names, and none by default', () => {
    expect([partsOf(undefined), partsOf(null), partsOf({})]).toEqual([[], [], []]);
    expect(partsOf({ showEvents: true, showInput: false, showObjectChanges: null })).toEqual([
      'events',
    ]);
    const all = { showEvents: true, showInput: true, showObjectChanges: true };
    expect(partsOf({ ...all, showBalanceChanges: true })).toEqual([
      'events',
      'objectChanges',
      'balanceChanges',
      'input',
    ]);
  });

  it('are read in one call, and null where the node does not show them', async () => {
    const requests: unknown[] = [];
    readParts = async (...call) => {
      requests.push(call);
      return { events: ['event'] };
    };
    expect(await landed.readParts('D', ['events', 'objectChanges'])).toEqual({
      events: ['event'],
      object_changes: null,
    });
    expect(requests).toEqual([['D', ['events', 'objectChanges']]]);
  });

  it('are read once, unless one of them is not shown yet', async () => {
    let read: object = { events: ['event'] };
    let calls = 0;
    readParts = async () => ((calls += 1), read);
    await landed.readParts('D', ['events', 'input']);
    read = { events: ['event'], input: {} };
    for (let call = 0; call < 3; call++) {
      expect(await landed.readParts('D', ['events', 'input'])).toEqual(read);
    }
    expect(calls).toBe(2);
    await landed.readParts('E', ['events', 'input']);
    expect(calls).toBe(3);
  });

  it('are null, and the answer is given all the same, when the node cannot be asked', async () => {
    readParts = () => Promise.reject(new Error('timed out'));
    expect(await landed.readParts('D', ['input'])).toEqual({ input: null });
    expect(warned).toEqual([{ digest: 'D', cause: 'Error: timed out' }]);
  });
});
