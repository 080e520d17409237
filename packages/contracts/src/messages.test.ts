import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { ExecuteTransactionJob } from './redis/execution-job.js';
import { type Dto, readDto, readJsonDto } from './dto/index.js';
import { FindReservationMessage, FindReservationReplyFields } from './messages/find-reservation.js';
import { AccessRulesReloaded, ReloadAccessRules } from './redis/fleet-records.js';
import { ReservedGas, ReserveGasMessage } from './messages/reserve-gas.js';
import { ReleaseReservationMessage } from './messages/release-reservation.js';
import { ClaimedReservationFields, ClaimReservationMessage } from './messages/claim-reservation.js';
import { ExecutionReply } from './redis/execution-reply.js';

const digest = 'HWKo1RcVdQgCSnFqRyfJdSgsxGfKjt2jELNFbQEyvCJ9';
const waiter = { gateway: 'one', requestType: 'waitForEffectsCert' };
const limits = {
  coins: 5,
  budget: null,
  coinsPerMinute: null,
  budgetPerMinute: null,
  poolShare: 50,
};
const usage = {
  counter: 'a',
  counts: 'gas',
  amount: '5',
  operator: '<=',
  limit: '9',
  windowMs: 1_000,
  expected: true,
  held: true,
};

const reserve = {
  caller: 'default',
  limits,
  usersLimits: limits,
  gasBudget: 5_000_000,
  durationSecs: 60,
};
const find = { caller: 'default', reservationId: 64, digest, waiter };
const claim = {
  ...find,
  txBytes: 'AAAA',
  userSig: 'BBBB',
  rule: '',
  facts: '',
  inputs: ['0x1:5'],
  usage: [usage],
  quarantineLimit: { most: 3, windowMs: 1_000 },
};
const release = { caller: 'default', reservationId: 64 };
const reload = { id: 'one' };
const reloaded = { gateway: 'one', mistake: null };
const job = { sponsor: '0x1', reservationId: 64, digest, fence: 1 };
const reply = {
  reservationId: 64,
  digest,
  fence: 1,
  outcome: { kind: 'executed', effects: { status: {} } },
};

const coin = { objectId: '0x7', version: 3, digest };
const reserved = {
  reservationId: 64,
  sponsor: '0x5',
  coins: [coin],
  deadlineMs: 1_000,
  mayLeaveDust: true,
};
const found = {
  reservationId: 64,
  sponsor: '0x5',
  state: 'claimed',
  gasBudget: 5_000_000,
  durationSecs: 60,
  coins: [coin],
  mayLeaveDust: false,
  digest,
  fence: 1,
  refusal: null,
};

const good = new Map<Dto, object>([
  [ReserveGasMessage, reserve],
  [FindReservationMessage, find],
  [ClaimReservationMessage, claim],
  [ReleaseReservationMessage, release],
  [ReloadAccessRules, reload],
  [AccessRulesReloaded, reloaded],
  [ExecuteTransactionJob, job],
  [ExecutionReply, reply],
  [ReservedGas, reserved],
  [FindReservationReplyFields, { found }],
  [ClaimedReservationFields, { claimed: true, sponsor: '0x5', fence: 1 }],
]);

describe('a message between services', () => {
  it.each<[Dto, object]>([
    ...good,
    [ReserveGasMessage, { caller: 'default', gasBudget: 1, durationSecs: 1 }],
    [ClaimReservationMessage, { ...find, ...claim, usage: [], inputs: [] }],
    [AccessRulesReloaded, { ...reloaded, mistake: 'rules.yaml:3: unknown key' }],
    [ExecuteTransactionJob, { ...job, requestId: 'a' }],
    [ExecutionReply, { ...reply, outcome: { kind: 'local' } }],
    [ExecutionReply, { ...reply, outcome: { kind: 'refused', message: 'spent' } }],
    [FindReservationReplyFields, { found: null, everHeld: true }],
    [
      FindReservationReplyFields,
      { found: { ...found, digest: null, refusal: { digest, fence: 1, message: '' } } },
    ],
    [ClaimedReservationFields, { claimed: false, found, usages: null }],
    [
      ClaimedReservationFields,
      { claimed: false, found: null, usages: [{ counter: 'a', used: '-5', endsInMs: 0 }] },
    ],
  ])('keeps its values unchanged: %p', (dto, message) => {
    expect(readDto(dto, message)).toMatchObject(message);
    expect(readJsonDto(dto, JSON.stringify(message))).toMatchObject(message);
  });

  it.each<[Dto, object, string]>([
    [ReserveGasMessage, { caller: '' }, 'caller must be text of 1 to 4096 characters; got ""'],
    [ReserveGasMessage, { gasBudget: 0 }, 'gasBudget must be an integer from 1 to'],
    [ReserveGasMessage, { gasBudget: null }, 'gasBudget must be an integer from 1 to'],
    [ReserveGasMessage, { durationSecs: 2 ** 52 }, 'durationSecs must be an integer from 1 to'],
    [ReserveGasMessage, { limits: { ...limits, coins: 0.5 } }, 'limits.coins must be an integer'],
    [ReserveGasMessage, { limits: 5 }, 'limits must be an object; got 5'],
    [ReserveGasMessage, { sponsor: 5 }, 'sponsor must be text'],
    [
      FindReservationMessage,
      { reservationId: '64' },
      'reservationId must be an integer from 1 to 9007199254740991; got "64"',
    ],
    [
      FindReservationMessage,
      { digest: undefined },
      'digest must be text of 1 to 4096 characters; got nothing',
    ],
    [
      FindReservationMessage,
      { waiter: {} },
      'waiter.gateway must be text of 1 to 4096 characters; got nothing; waiter.requestType must be one of',
    ],
    [ClaimReservationMessage, { caller: [] }, 'caller must be text'],
    [ClaimReservationMessage, { txBytes: 'A' }, 'txBytes must be base64 text'],
    [ClaimReservationMessage, { userSig: '' }, 'userSig must be base64 text'],
    [ClaimReservationMessage, { rule: null }, 'rule must be text of 0 to'],
    [ClaimReservationMessage, { inputs: '0x1:5' }, 'inputs must be an array'],
    [ClaimReservationMessage, { inputs: [5] }, 'each of inputs must be text'],
    [ClaimReservationMessage, { usage: {} }, 'usage must be an array; got an object'],
    [
      ClaimReservationMessage,
      { usage: [usage, { ...usage, amount: '1e3' }] },
      'usage[1].amount must be a decimal integer in text',
    ],
    [
      ClaimReservationMessage,
      { usage: [{ ...usage, operator: '~' }] },
      'usage[0].operator must be one of =, !=, <, >, <=, >=; got "~"',
    ],
    [ClaimReservationMessage, { usage: [{ ...usage, held: 1 }] }, 'usage[0].held must be'],
    [ClaimReservationMessage, { usage: [null] }, 'usage[0] must be an object; got null'],
    [
      ClaimReservationMessage,
      { quarantineLimit: { most: -1, windowMs: 1 } },
      'quarantineLimit.most must be an integer from 0',
    ],
    [ReleaseReservationMessage, { reservationId: 2 ** 53 }, 'reservationId must be an integer'],
    [ReloadAccessRules, { id: undefined }, 'id must be text'],
    [AccessRulesReloaded, { mistake: undefined }, 'mistake must be text'],
    [ExecuteTransactionJob, { fence: '1' }, 'fence must be an integer'],
    [ExecuteTransactionJob, { sponsor: null }, 'sponsor must be text'],
    [
      ExecutionReply,
      { outcome: { kind: 'lost' } },
      'outcome.kind must be one of executed, local, refused, unsigned; got "lost"',
    ],
    [ExecutionReply, { outcome: { kind: 'executed' } }, 'outcome.effects must be an object'],
    [ExecutionReply, { outcome: { kind: 'refused' } }, 'outcome.message must be text'],
    [ReservedGas, { coins: [{ ...coin, version: -1 }] }, 'coins[0].version must be an integer'],
    [FindReservationReplyFields, { found: { ...found, state: 'lost' } }, 'found.state must be one'],
    [FindReservationReplyFields, { found: null }, 'everHeld must be a boolean'],
    [
      FindReservationReplyFields,
      { found: { ...found, refusal: {} } },
      'found.refusal.digest must be text',
    ],
    [ClaimedReservationFields, { fence: 0 }, 'fence must be an integer from 1'],
    [ClaimedReservationFields, { claimed: false }, 'usages must be an array; got nothing'],
  ])('is refused as %p with %j: %s', (dto, change, problem) => {
    const message = { ...good.get(dto), ...change };
    expect(() => readDto(dto, message)).toThrow(`Invalid ${dto.name}: `);
    expect(() => readDto(dto, message)).toThrow(problem);
    expect(() => readDto(dto, message)).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST' }),
    );
  });

  it.each([null, 5, 'text', []])('is refused if it is not an object: %p', (value) => {
    expect(() => readDto(ReleaseReservationMessage, value)).toThrow('value must be an object; got');
  });

  it('is refused if it is not JSON', () => {
    expect(() => readJsonDto(ExecutionReply, '{')).toThrow('Invalid ExecutionReply: not JSON');
  });

  it('drops unknown fields and a prototype', () => {
    const sent: unknown = JSON.parse(
      '{"caller":"a","reservationId":64,"other":1,"__proto__":{"x":1}}',
    );
    const read = readDto(ReleaseReservationMessage, sent);
    expect(Object.keys(read)).toEqual(['caller', 'reservationId']);
    expect(read).toBeInstanceOf(ReleaseReservationMessage);
  });
});
