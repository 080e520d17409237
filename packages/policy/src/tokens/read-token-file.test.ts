import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { readAmount, readPercentage, readSpan, readTokenFile } from './read-token-file.js';
import { hashToken, Tokens } from './tokens.js';

const PAGE = new URL('../../../../docs/access-control.md', import.meta.url);
const example = /```yaml\n(tokens:.*?)```/s.exec(readFileSync(fileURLToPath(PAGE), 'utf8'))![1]!;

describe('a file of tokens', () => {
  it('is read as docs/access-control.md describes it', () => {
    const [shop, users, ops] = readTokenFile(example).tokens.map(({ caller, expiresAt }) => ({
      ...caller,
      expiresAt,
    }));
    expect(shop).toMatchObject({
      name: 'shop',
      roles: new Set(['sponsor']),
      ruleSet: 'shop',
      expiresAt: Date.parse('2027-06-30T00:00:00Z'),
      rateLimit: { requests: 100, windowMs: 1_000 },
      budget: [{ comparison: { operator: '<=', limit: 50_000_000_000n }, windowMs: 86_400_000 }],
      reservation: {
        coins: 200,
        budget: 20_000_000_000,
        coinsPerMinute: 2_000,
        poolShare: 50,
      },
      quarantine: { most: 5, windowMs: 3_600_000 },
    });
    expect(users).toMatchObject({ name: 'shop-users', sponsors: [], expiresAt: Infinity });
    expect(ops).toMatchObject({ name: 'ops', roles: new Set(['operator']), expiresAt: Infinity });
  });

  it.each([
    'reserve: { coins: 200 IOTA }',
    'reserve: { coins: 2 coins }',
    'reserve: { coins-per-minute: 1.5 }',
    'reserve: { unused-per-minute: 5 IOTA }',
    'quarantine: { transactions: 5 coins, window: 1h }',
    'rate-limit: { requests: 2 coins, window: 1s }',
  ])('takes no amount of gas as a number: %s', (line) => {
    const hash = hashToken('shop').toString('hex');
    const text = `tokens:\n  - { name: shop, role: sponsor, hash: ${hash}, ${line} }`;
    expect(() => readTokenFile(text)).toThrow(/must be a number, such as 100/);
  });

  it.each([
    ['hash', 'hash: { hash: HASH, expire: 2027-01-01 }'],
    ['quarantine', 'hash: HASH, quarantine: { transactions: 5, window: 1h, most: 2 }'],
    ['rate-limit', 'hash: HASH, rate-limit: { requests: 5, window: 1s, burst: 2 }'],
    ['reserve', 'hash: HASH, reserve: { coins: 5, coin-share: 2 }'],
    ['shop', 'hash: HASH, limit: 5'],
  ])('is refused for an unknown key of %s', (_of, fields) => {
    const hash = hashToken('shop').toString('hex');
    const text = `tokens:\n  - { name: shop, role: sponsor, ${fields.replace('HASH', hash)} }`;
    expect(() => readTokenFile(text)).toThrow(
      /has an unknown key: (expire|most|burst|coin-share|limit)$/,
    );
  });

  it('may give a caller several hashes, each with a separate expiry', async () => {
    const hex = (token: string) => hashToken(token).toString('hex');
    const text = `tokens:
  - name: shop
    role: [sponsor, operator]
    expires: 2028-01-01
    hash:
      - { hash: ${hex('old')}, expires: 2027-01-01 }
      - ${hex('new')}`;
    const tokens = new Tokens([], readTokenFile(text).tokens, false);
    const callerIn = async (token: string, year: number) =>
      (await tokens.callerOf(`Bearer ${token}`, Date.UTC(year, 5)))?.name ?? null;
    expect([
      await callerIn('old', 2026),
      await callerIn('new', 2026),
      await callerIn('old', 2027),
      await callerIn('new', 2027),
      await callerIn('new', 2028),
    ]).toEqual(['shop', 'shop', null, 'shop', null]);
  });
});

describe('an amount in a file of tokens', () => {
  it.each([
    ['1', 1],
    ['10_000_000', 10_000_000],
    ['2 IOTA', 2_000_000_000],
    ['0.5 iota', 500_000_000],
    [String(Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER],
  ])('%j is %d', (text, amount) => expect(readAmount(text)).toBe(amount));

  it.each(['0', '-1', '1.5', '9007199254740992', 'all', '2 coins'])('cannot be %j', (text) => {
    expect(() => readAmount(text)).toThrow(/must be/);
  });
});

describe('a share in a file of tokens', () => {
  it.each([
    ['1', 1],
    ['50%', 50],
    ['100 %', 100],
  ])('%j is %d percent', (text, share) => expect(readPercentage(text)).toBe(share));

  it.each(['0', '0%', '101', '999%', '1.5', '-5', '%', 'half'])('cannot be %j', (text) => {
    expect(() => readPercentage(text)).toThrow('must be a share from 1% to 100%');
  });
});

describe('a time span in a file of tokens', () => {
  it('is a second to a day', () => {
    expect([readSpan('1 s'), readSpan('1 day')]).toEqual([1_000, 86_400_000]);
    for (const text of ['0 s', '25 h', '2 days']) expect(() => readSpan(text)).toThrow(/must be/);
  });
});
