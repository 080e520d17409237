import { describe, expect, it } from '@jest/globals';
import type { ListedRefusal } from '@forecourt/contracts';
import { type CallerName } from '../history/history-app.test-support.js';
import { full } from '../history/records.test-support.js';
import {
  ALICE,
  idsOf,
  RECORDS,
  startStreamApp,
  untilHas,
  useStreamApp,
} from './stream-app.test-support.js';

const gateway = useStreamApp();

describe('a stream', () => {
  it.each<[CallerName, readonly number[], readonly string[]]>([
    ['shop', [64, 128], ['shop']],
    ['other', [192], ['other']],
    ['alice', [128], []],
    ['bob', [], []],
    ['operator', [64, 128, 192], ['shop', 'other']],
    ['auditor', [64, 128, 192], ['shop', 'other']],
    ['all', [64, 128, 192], ['shop', 'other']],
  ])('shows %s what it may see, and nothing else', async (by, ids, refused) => {
    const stream = await gateway.app.open(by, RECORDS);
    const everything = await gateway.app.open('all', RECORDS);
    expect(stream.headers.get('cache-control')).toBe('no-store');
    gateway.log.change(64, 'shop');
    gateway.log.change(128, ALICE, { stream: '1' });
    gateway.log.change(192, 'other');
    gateway.log.refuse('shop');
    gateway.log.refuse('other');
    await untilHas(everything, 5);
    await untilHas(stream, ids.length + refused.length);
    expect(idsOf(stream)).toEqual(ids);
    expect(stream.of<ListedRefusal>('refusal').map(({ token }) => token)).toEqual(refused);
  });

  it('shows a sponsorship and a refusal as the other routes do', async () => {
    const stream = await gateway.app.open('all', RECORDS);
    gateway.log.change(64, ALICE, { stream: '1', state: 'claimed' });
    gateway.log.refuse('shop', 'NO_COINS');
    await untilHas(stream, 2);
    expect(stream.events.map(({ type, data }) => [type, data])).toEqual([
      [
        'sponsorship',
        expect.objectContaining({ token: 'shop', user: full('a'), status: 'executing' }),
      ],
      ['refusal', expect.objectContaining({ code: 'NO_COINS', status: 403, reservation_id: null })],
    ]);
    expect(stream.events[0]!.data).toMatchObject({ sponsor_address: full('a1') });
  });

  it.each<[string, readonly number[], number]>([
    ['?events=sponsorship', [64, 128, 192], 0],
    ['?events=refusal', [], 1],
    ['?events=refusal,sponsorship&status=executing', [128], 1],
    ['?events=sponsorship,refusal&token=other', [192], 0],
    [`?events=sponsorship,refusal&user=${full('a')}`, [128], 0],
    [`?events=sponsorship,refusal&sender=${full('9')}`, [], 0],
  ])('has what its filters ask for: %s', async (query, ids, refusals) => {
    const stream = await gateway.app.open('operator', query);
    const everything = await gateway.app.open('operator', RECORDS);
    gateway.log.change(64, 'shop');
    gateway.log.change(128, ALICE, { state: 'executing' });
    gateway.log.change(192, 'other');
    gateway.log.refuse('shop');
    await untilHas(everything, 4);
    await untilHas(stream, ids.length + refusals);
    expect([idsOf(stream), stream.of('refusal').length]).toEqual([ids, refusals]);
  });

  it('leaves out what it cannot read, and goes on', async () => {
    const stream = await gateway.app.open('all', RECORDS);
    gateway.log.break();
    gateway.log.change(64, 'shop');
    await untilHas(stream, 1);
    expect(idsOf(stream)).toEqual([64]);
  });

  it.each([
    '?events=gap',
    '?status=open',
    '?from=5',
    '?token=',
    '?user=0x',
    '?events=figures,figures',
  ])('is refused for a bad query: %s', async (query) => {
    expect((await gateway.app.open('shop', query)).status).toBe(400);
  });

  it('is refused without a valid token, and without a history', async () => {
    expect((await gateway.app.open('nobody')).status).toBe(401);
    const without = await startStreamApp(gateway.log, { isOn: false });
    expect((await without.open('shop')).status).toBe(501);
    await without.close();
  });

  it('is refused while the coin-pools do not answer, and can be opened afterwards', async () => {
    gateway.app.records.outages.coinPool = { code: 'STORE_UNREACHABLE', detail: '' };
    expect((await gateway.app.open('shop')).status).toBe(503);
    delete gateway.app.records.outages.coinPool;
    expect((await gateway.app.open('shop')).status).toBe(200);
  });
});
