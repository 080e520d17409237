import { describe, expect, it } from '@jest/globals';
import { EntryTooNew, InvalidEntry, readEndedSponsorship, readRefusedRequest } from './entries.js';
import { formRefusal } from './form-refusal.js';
import { anEntry, full } from './stored-sponsorship.test-support.js';

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
