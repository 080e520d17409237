import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { readTokenFile } from './read-token-file.js';
import { Tokens } from './tokens.js';
import { hashToken } from './hash-token.js';

const PAGE = new URL('../../../../docs/access-control.md', import.meta.url);
const example = /```yaml\n(tokens:.*?)```/s.exec(readFileSync(fileURLToPath(PAGE), 'utf8'))![1]!;

describe('a file of tokens', () => {
  it('is read as docs/access-control.md describes it', () => {
    const [shop, users, ops] = readTokenFile(example).map(({ caller, expiresAt }) => ({
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

  it('may give a caller several hashes, each with a separate expiry', async () => {
    const hex = (token: string) => hashToken(token).toString('hex');
    const text = `tokens:
  - name: shop
    role: [sponsor, operator]
    expires: 2028-01-01
    hash:
      - { hash: ${hex('old')}, expires: 2027-01-01 }
      - ${hex('new')}`;
    const tokens = new Tokens([], readTokenFile(text), false);
    const at = async (token: string, year: number) =>
      (await tokens.callerOf(`Bearer ${token}`, Date.UTC(year, 5)))?.name ?? null;
    expect([
      await at('old', 2026),
      await at('new', 2026),
      await at('old', 2027),
      await at('new', 2027),
      await at('new', 2028),
    ]).toEqual(['shop', 'shop', null, 'shop', null]);
  });
});
