import { TemporaryFolder } from '@forecourt/testing/jest';
import { afterAll, describe, expect, it } from '@jest/globals';
import { readAccessFiles } from '@forecourt/policy/tokens';
import { describeAccess, describeLimit } from './describe-access.js';

const folder = new TemporaryFolder();
afterAll(() => folder.remove());

const HASH = '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0';
const tokens = `tokens:
  - name: shop
    hash: ${HASH}
    role: sponsor
    expires: 2027-06-30T00:00:00Z
    rate-limit: { requests: 100, window: 1 second }
    budget: { value: 50 IOTA, window: 1 day }
    reserve: { coins: 200, pool-share: 50% }
    quarantine: { transactions: 5, window: 1 hour }
    rule-set: careful
  - name: users
    user-keys: ohDPjvSLxCm8GiTrLgykr92bTEylzviZ6bLki1WmWD0
    role: sponsor
`;
const rules = `access-controller:
  access-policy: deny-all
  sponsor-budget: { value: 1.5 IOTA, window: 2 days }
  rules:
    - name: friends
      sender-address: '0xa'
      gas-usage: { value: '<=0.5 IOTA', window: 1 day, count-by: [sender-address] }
      action: allow
  rule-sets:
    careful:
      access-policy: deny-all
      rules:
        - sender-address: '*'
          action:
            url: https://decide.example.org/path?key=query-secret
            headers: { x-api-key: [header-secret] }
`;

async function describeFiles(rulesText = rules, isOffline = false) {
  const files = await readAccessFiles(
    folder.write('tokens.yaml', tokens),
    folder.write('rules.yaml', rulesText),
    { isOffline },
  );
  return describeAccess(files.tokens, files.rules, true);
}

describe('tokens and rules for people', () => {
  it('have roles, limits and expiry of each token', async () => {
    const { tokens: descriptions } = await describeFiles();
    expect(descriptions.map(({ name }) => name)).toEqual(['default', 'shop', 'users']);
    expect(descriptions[1]).toEqual({
      name: 'shop',
      roles: ['sponsor'],
      expires_at: Date.UTC(2027, 5, 30),
      is_for_users: false,
      rule_set: 'careful',
      limits: [
        'requests <= 100 in 1 second',
        'gas <= 50 IOTA in 1 day',
        'coins at once <= 200',
        'share of the pool <= 50/100',
        'quarantined <= 5 in 1 hour',
      ],
    });
    expect(descriptions[2]).toMatchObject({ is_for_users: true, expires_at: null });
  });

  it('have rules in their order, with conditions and limits', async () => {
    const { rules: sets, sponsor_budget: budget } = await describeFiles();
    expect(sets.map(({ name, policy }) => [name, policy])).toEqual([
      [null, 'deny-all'],
      ['careful', 'deny-all'],
    ]);
    expect(sets[0]!.rules[0]).toMatchObject({
      name: 'friends',
      action: 'allow',
      limits: ['gas <= 0.5 IOTA in 1 day for each sender-address'],
    });
    expect(budget).toEqual(['gas <= 1.5 IOTA in 2 days']);
  });

  it('have no hash, key, header or query of a hook', async () => {
    const text = JSON.stringify(await describeFiles());
    expect(text).toContain('https://decide.example.org/path');
    expect(text).not.toMatch(/secret|0f1e2d3c|ohDPjvSL/);
  });

  it.each([
    ['http', 'https://user:p@secret@127.0.0.1:1/policy.wasm'],
    ['http', 'https://127.0.0.1:1/policy.wasm?token=secret'],
    ['redis', 'redis://:se/secret@127.0.0.1:1'],
    ['opa-server', 'https://secret@127.0.0.1:1/opa'],
  ])('have nothing secret of the address of a policy: %s %s', async (location, url) => {
    const policy = `{ location-type: ${location}, url: "${url}", redis-key: k, rego-rule-path: data.a.b }`;
    const more = `        - rego-expression: ${policy}\n          action: allow\n`;
    const text = JSON.stringify(await describeFiles(rules + more, true));
    expect(text).toContain('://');
    expect(text).toContain('***');
    expect(text).not.toContain('secret');
  });

  it('have a version that changes with the rules', async () => {
    const { version } = await describeFiles();
    expect(await describeFiles()).toMatchObject({ version });
    expect((await describeFiles(rules.replace('0xa', '0xb'))).version).not.toBe(version);
  });
});

describe('a total', () => {
  it('is described with its end', () => {
    const comparison = { operator: '<=', limit: 5_000_000_000n } as const;
    const total = { counts: 'gas', comparison, windowMs: null } as const;
    expect(describeLimit({ ...total, until: null })).toBe('gas <= 5 IOTA in total');
    expect(describeLimit({ ...total, until: Date.UTC(2026, 11, 31) })).toBe(
      'gas <= 5 IOTA in total until 2026-12-31T00:00:00.000Z',
    );
  });
});
