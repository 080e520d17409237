import { describe, expect, it } from '@jest/globals';
import type { RebuiltSponsorship } from '@forecourt/contracts';
import { readEndedSponsorship, readRebuilt, readRefusedRequest } from './entries.js';
import { EntryTooNew } from './entry-too-new.js';
import { InvalidEntry } from './invalid-entry.js';
import { formRefusal } from './form-refusal.js';
import { formRebuilt } from './form-sponsorship.js';
import {
  anEntry,
  codec,
  digest,
  full,
  sender,
  sponsor,
} from './stored-sponsorship.test-support.js';

const pairs = (entry: object) => Object.entries(entry).flat() as string[];

const refused = {
  v: '1',
  at: '1700000000000',
  route: 'POST /v1/execute_tx',
  token: 'shop',
  user: '',
  sender: full('a'),
  sponsor: '',
  status: '403',
  code: 'FORBIDDEN',
  message: 'no',
  rule: 'ours',
  digest: 'D1',
  reservation: '7',
  request: 'r',
  transaction: '',
};

describe('an entry of a sponsor’s stream', () => {
  it('is read with all of its fields; those of later releases are left out', () => {
    expect(readEndedSponsorship([...pairs(anEntry()), 'mood', 'good'])).toEqual(anEntry());
  });

  it('may lack fields that may be empty', () => {
    const entry = anEntry({ digest: '', trail: '' });
    const kept = Object.fromEntries(Object.entries(entry).filter(([, text]) => text !== ''));
    expect(readEndedSponsorship(pairs(kept))).toEqual(entry);
  });

  it('is left to a later release that has written it', () => {
    expect(() => readEndedSponsorship(['v', '2', 'state', 'teleported'])).toThrow(EntryTooNew);
  });

  it.each([
    ['v', ''],
    ['id', '-1'],
    ['id', '99999999999999999'],
    ['state', 'reserved'],
    ['ended', 'now'],
    ['caller', ''],
    ['budget', '1.5'],
    ['sum', ''],
    ['counted', 'x'],
  ])('is refused with the field %s = %j', (field, text) => {
    const entry = pairs({ ...anEntry(), [field]: text });
    expect(() => readEndedSponsorship(entry)).toThrow(InvalidEntry);
    expect(() => readEndedSponsorship(entry)).toThrow(`${field} cannot be read`);
  });
});

describe('an entry about a transaction that was found on the ledger', () => {
  const found = {
    ...anEntry({ state: 'executed', caller: '', digest, result: '{}' }),
    sender,
    commands: '["TransferObjects"]',
    cause: 'redis_lost_writes',
  };

  it('becomes a record, without the steps before its execution where the reservation is lost', () => {
    const result = '{"outcome":"success","computation":"5","storage":"2","rebate":"8"}';
    const form = (over: object) => {
      const read = readRebuilt(pairs({ ...found, result, ...over }));
      return formRebuilt(codec, sponsor, read as RebuiltSponsorship);
    };
    expect(form({})).toMatchObject({
      token: '',
      sender,
      commands: ['TransferObjects'],
      gas: { net: '-1' },
      timeline: [{ event: 'executed' }],
      rebuilt: 'redis_lost_writes',
    });
    const bound = form({ caller: 'shop' });
    expect(bound.token).toBe('shop');
    expect(bound.timeline.map(({ event }) => event)).toEqual(['reserved', 'executed']);
    for (const commands of ['{}', '[1]', 'no']) {
      expect(() => form({ commands })).toThrow('commands cannot be read');
    }
  });

  it('may be about gas alone', () => {
    const gas = { v: '1', unexplained: '-7', at: '5', cause: 'outside_pool' };
    expect(readRebuilt(pairs(gas))).toEqual(gas);
    expect(() => readRebuilt(pairs({ ...gas, v: '2' }))).toThrow(EntryTooNew);
    for (const field of ['unexplained', 'at', 'cause']) {
      expect(() => readRebuilt(pairs({ ...gas, [field]: 'x' }))).toThrow(field);
    }
  });

  it.each(['state', 'digest', 'result', 'sender', 'commands', 'cause'])(
    'is refused without %s',
    (field) => {
      expect(() => readRebuilt(pairs({ ...found, [field]: '' }))).toThrow(field);
    },
  );
});

describe('an entry of the stream of refused requests', () => {
  it('becomes a refusal, with null for what is absent', () => {
    expect(formRefusal(readRefusedRequest(pairs(refused)))).toEqual({
      at: 1_700_000_000_000,
      route: 'POST /v1/execute_tx',
      token: 'shop',
      user: null,
      sender: full('a'),
      status: 403,
      code: 'FORBIDDEN',
      message: 'no',
      rule: 'ours',
      digest: 'D1',
      reservation_id: 7,
      request_id: refused.request,
    });
    expect(formRefusal(readRefusedRequest(pairs({ ...refused, reservation: '' })))).toMatchObject({
      reservation_id: null,
    });
  });

  it.each([
    ['at', ''],
    ['status', 'bad'],
    ['token', ''],
    ['reservation', 'x'],
  ])('is refused with the field %s = %j', (field, text) => {
    expect(() => readRefusedRequest(pairs({ ...refused, [field]: text }))).toThrow(field);
  });
});
