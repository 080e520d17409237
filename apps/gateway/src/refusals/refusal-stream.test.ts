import {
  HISTORY_BACKLOG_KEY,
  REFUSALS_DROPPED_KEY,
  REFUSALS_KEY,
  type RefusedRequest,
} from '@forecourt/contracts';
import { partial, useRedis } from '@forecourt/testing/jest';
import { waitUntil } from '@forecourt/testing/system';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { RefusalBounds } from './refusal-bounds.js';
import { RefusalStream } from './refusal-stream.js';

const redis = useRedis((url) => new Redis(url));
beforeEach(() => redis.flushall());

const warned: unknown[] = [];
const logger = { info: () => undefined, warn: (fields: unknown) => void warned.push(fields) };

const aRefusal = (code = 'FORBIDDEN', token = 'shop') =>
  ({ v: '1', at: '5', code, token }) as RefusedRequest;

/** Of a gateway with or without an address of history. */
const aStream = (isOn = false) =>
  new RefusalStream(redis, partial(logger), partial({ isOn }), new RefusalBounds(redis));

/** Later refusals are of one second. */
const atBeginOfSecond = () => waitUntil(async () => Date.now() % 1_000 < 100);
const atBeginOfMinute = () => waitUntil(async () => Date.now() % 60_000 < 58_000);

const countDropped = async () => redis.hgetall(REFUSALS_DROPPED_KEY);

describe('the stream of refused requests', () => {
  it('gets each with all of its fields while history is on', async () => {
    await redis.set(HISTORY_BACKLOG_KEY, '10');
    const stream = aStream();
    for (const code of ['FORBIDDEN', 'NO_COINS']) stream.add(aRefusal(code));
    await waitUntil(async () => (await redis.xlen(REFUSALS_KEY)) === 2);
    const entries = await redis.xrange(REFUSALS_KEY, '-', '+');
    expect(entries.map(([, fields]) => fields)).toEqual([
      ['v', '1', 'at', '5', 'code', 'FORBIDDEN', 'token', 'shop'],
      ['v', '1', 'at', '5', 'code', 'NO_COINS', 'token', 'shop'],
    ]);
    expect(await countDropped()).toEqual({});
  });

  it('stays empty while history is off, and nothing is counted', async () => {
    const stream = aStream();
    for (let n = 0; n < 150; n++) stream.add(aRefusal());
    await redis.set(HISTORY_BACKLOG_KEY, '10');
    const later = aStream();
    later.add(aRefusal('NO_COINS'));
    await waitUntil(async () => (await redis.xlen(REFUSALS_KEY)) > 0);
    expect(await redis.xlen(REFUSALS_KEY)).toBe(1);
    expect(await countDropped()).toEqual({});
  });

  it('gets them before history has started where the gateway is configured for it', async () => {
    aStream(true).add(aRefusal());
    await waitUntil(async () => (await redis.xlen(REFUSALS_KEY)) === 1);
    await redis.set(HISTORY_BACKLOG_KEY, 'off');
    const stream = aStream(true);
    stream.add(aRefusal());
    await stream.beforeApplicationShutdown();
    await redis.set(HISTORY_BACKLOG_KEY, '10');
    aStream(true).add(aRefusal('NO_COINS'));
    await waitUntil(async () => (await redis.xlen(REFUSALS_KEY)) > 1);
    expect(await redis.xlen(REFUSALS_KEY)).toBe(2);
  });

  it('gets half of a hundred in a second of one token; its others are counted, and another token has a share', async () => {
    await redis.set(HISTORY_BACKLOG_KEY, '1000');
    await atBeginOfSecond();
    const stream = aStream();
    for (let n = 0; n < 53; n++) stream.add(aRefusal());
    for (let n = 0; n < 26; n++) stream.add(aRefusal('NO_COINS', 'other'));
    await waitUntil(async () => Object.keys(await countDropped()).length === 2);
    expect(await redis.xlen(REFUSALS_KEY)).toBe(75);
    expect(await countDropped()).toEqual({ 'FORBIDDEN|shop': '3', 'NO_COINS|other': '1' });
  });

  it('has what was counted when its gateway stops', async () => {
    await redis.set(HISTORY_BACKLOG_KEY, '1000');
    await atBeginOfSecond();
    const stream = aStream();
    for (let n = 0; n < 51; n++) stream.add(aRefusal());
    await waitUntil(async () => (await redis.xlen(REFUSALS_KEY)) === 50);
    await stream.beforeApplicationShutdown();
    expect(await countDropped()).toEqual({ 'FORBIDDEN|shop': '1' });
  });

  it('gets one transaction in a minute for each token, code and rule, at whichever gateways', async () => {
    await redis.set(HISTORY_BACKLOG_KEY, '1000');
    await atBeginOfMinute();
    const fleet = [aStream(), aStream()];
    const refused = [
      { token: 'shop', code: 'FORBIDDEN', rule: 'ours' },
      { token: 'shop', code: 'FORBIDDEN', rule: 'theirs' },
      { token: 'shop', code: 'SPENDING_LIMIT', rule: 'ours' },
      { token: 'game', code: 'FORBIDDEN', rule: 'ours' },
    ];
    for (let time = 0; time < 3; time++) {
      for (const stream of fleet) {
        for (const of of refused) {
          stream.add({ ...aRefusal(), ...of, transaction: `${of.token} ${of.code} ${of.rule}` });
        }
      }
    }
    await waitUntil(async () => (await redis.xlen(REFUSALS_KEY)) === 24);
    const transactions = (await redis.xrange(REFUSALS_KEY, '-', '+')).map(
      ([, fields]) => fields[fields.indexOf('transaction') + 1],
    );
    expect(transactions.filter((one) => one !== '').sort()).toEqual(
      refused.map(({ token, code, rule }) => `${token} ${code} ${rule}`).sort(),
    );
  });

  it('gets no more bytes in a day than a token’s share of what the fleet keeps; another token has a share', async () => {
    await redis.set(HISTORY_BACKLOG_KEY, '1000');
    const day = `fc:rate:refusal-bytes:${Math.floor(Date.now() / 86_400_000)}`;
    const half = 2 ** 27;
    await redis.hset(day, { shop: half - 10, '*': half - 10 });
    const stream = aStream();
    stream.add(aRefusal());
    await waitUntil(async () => (await redis.xlen(REFUSALS_KEY)) === 1);
    stream.add(aRefusal());
    stream.add(aRefusal('NO_COINS', 'other'));
    await waitUntil(async () => (await redis.xlen(REFUSALS_KEY)) === 2);
    await waitUntil(async () => (await countDropped())['FORBIDDEN|shop'] === '1');
    const later = aStream();
    later.add(aRefusal('NO_COINS', 'other'));
    await waitUntil(async () => (await redis.xlen(REFUSALS_KEY)) === 3);
    expect(await countDropped()).toEqual({ 'FORBIDDEN|shop': '1' });
    expect(await redis.pttl(day)).toBeGreaterThan(86_400_000);
  });

  it('gets no transactions while many refusals wait', async () => {
    await redis.set(HISTORY_BACKLOG_KEY, '1000000');
    const adding = redis.pipeline();
    for (let n = 0; n < 10_000; n++) adding.xadd(REFUSALS_KEY, '*', 'v', '1');
    await adding.exec();
    aStream().add({ ...aRefusal(), transaction: 'AAAA' });
    await waitUntil(async () => (await redis.xlen(REFUSALS_KEY)) === 10_001);
    const [[, fields]] = (await redis.xrevrange(REFUSALS_KEY, '+', '-', 'COUNT', 1)) as [
      [string, string[]],
    ];
    expect(fields).toEqual([
      ...Object.entries<string>({ ...aRefusal() }).flat(),
      'transaction',
      '',
    ]);
  });

  it('takes no more than its bound; the others are counted', async () => {
    await redis.set(HISTORY_BACKLOG_KEY, '2');
    for (let n = 0; n < 2; n++) await redis.xadd(REFUSALS_KEY, '*', 'v', '1');
    const stream = aStream();
    for (let n = 0; n < 5; n++) stream.add(aRefusal());
    await waitUntil(async () => (await countDropped())['FORBIDDEN|shop'] === '5');
    expect(await redis.xlen(REFUSALS_KEY)).toBe(2);
  });

  it('counts the others too once large ones have taken the memory of its bound', async () => {
    await redis.set(HISTORY_BACKLOG_KEY, '100');
    const large = { ...aRefusal(), transaction: 'A'.repeat(170_000) };
    aStream().add(large);
    await waitUntil(async () => (await redis.xlen(REFUSALS_KEY)) === 1);
    aStream().add({ ...large, rule: 'another' });
    await waitUntil(async () => (await redis.xlen(REFUSALS_KEY)) === 2);
    aStream().add(aRefusal());
    await waitUntil(async () => (await countDropped())['FORBIDDEN|shop'] === '1');
    expect(await redis.xlen(REFUSALS_KEY)).toBe(2);
  });

  it('counts what Redis does not take, and says so once', async () => {
    await redis.set(HISTORY_BACKLOG_KEY, '10');
    const stream = aStream();
    await redis.set(REFUSALS_KEY, 'not a stream');
    warned.length = 0;
    stream.add(aRefusal());
    await waitUntil(async () => warned.length > 0);
    await redis.del(REFUSALS_KEY);
    const taking = aStream();
    taking.add(aRefusal());
    await waitUntil(async () => (await redis.xlen(REFUSALS_KEY)) === 1);
    await redis.set(REFUSALS_KEY, 'not a stream');
    for (let n = 0; n < 4; n++) taking.add(aRefusal('NO_COINS'));
    await waitUntil(async () => (await countDropped())['NO_COINS|shop'] === '4');
    expect(warned.length).toBeLessThanOrEqual(2);
  });
});
