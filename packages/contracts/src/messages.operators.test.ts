import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { type Dto, readDto } from './dto/index.js';
import { ExplainTransactionMessage, ExplainTransactionReply } from './messages/explain-messages.js';
import { InspectPoolsMessage, InspectPoolsReply } from './messages/inspect-messages.js';

const digest = 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9';
const trace = {
  reservationId: 64,
  sponsor: '0x5',
  caller: 'default',
  state: 'executing',
  gasBudget: 5_000_000,
  durationSecs: 60,
  deadlineMs: 1_000,
  coins: [{ objectId: '0x7', version: 3, digest }],
  digest,
  fence: 1,
  leaseEndsMs: null,
  begunMs: 900,
  executor: 'executor-1',
  isResumed: false,
  rule: null,
  waiters: 1,
  usage: [{ counter: 'a', counts: 'gas', amount: '5', used: '-7' }],
  refusal: { digest, message: 'locked', epoch: 3, movedOnBy: null },
  keptForMs: null,
};
const transaction = {
  state: 'quarantined',
  reservationId: 64,
  caller: 'default',
  digest,
  reservedAt: 900,
  begunAt: null,
  ageMs: 100,
  executor: null,
  coins: 1,
  reason: 'locked',
  quarantineEpoch: 3,
  movedOnBy: null,
};
const pool = {
  sponsor: '0x5',
  coins: [{ state: 'available', coins: '2', balance: '18446744073709551616' }],
  reservations: [{ state: 'claimed', count: 1 }],
  hour: { spent: '-5', since: 900, forMs: 100 },
  day: null,
  leader: null,
  suspendedMs: 0,
  transactions: [transaction],
  sizes: [{ atLeast: '18446744073709551616', coins: 2 }],
};

const good = new Map<Dto, object>([
  [InspectPoolsMessage, { listed: 20 }],
  [InspectPoolsReply, { pools: [pool] }],
  [ExplainTransactionMessage, { digest }],
  [ExplainTransactionReply, { trace, sponsors: ['0x5'] }],
]);

describe('a message for operators', () => {
  it.each<[Dto, object]>([
    ...good,
    [InspectPoolsReply, { pools: [] }],
    [ExplainTransactionMessage, { reservationId: 64 }],
    [ExplainTransactionReply, { trace: null, sponsors: [] }],
  ])('keeps its values unchanged: %p', (dto, message) => {
    expect(readDto(dto, message)).toMatchObject(message);
  });

  it.each<[Dto, object, string]>([
    [InspectPoolsMessage, { listed: 101 }, 'listed must be an integer from 0 to 100; got 101'],
    [InspectPoolsMessage, { listed: '20' }, 'listed must be an integer'],
    [InspectPoolsReply, { pools: [{ ...pool, hour: {} }] }, 'pools[0].hour.spent must be'],
    [
      InspectPoolsReply,
      { pools: [{ ...pool, transactions: [{ ...transaction, state: 'reserved' }] }] },
      'pools[0].transactions[0].state must be one of claimed, executing, quarantined',
    ],
    [ExplainTransactionMessage, { digest: undefined }, 'digest must be text'],
    [ExplainTransactionMessage, { reservationId: '64' }, 'reservationId must be an integer'],
    [ExplainTransactionReply, { trace: { ...trace, coins: {} } }, 'trace.coins must be an array'],
    [ExplainTransactionReply, { sponsors: [5] }, 'each of sponsors must be text'],
  ])('is refused as %p with %j: %s', (dto, change, problem) => {
    expect(() => readDto(dto, { ...good.get(dto), ...change })).toThrow(problem);
  });
});
