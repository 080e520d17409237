import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  allowed,
  BOB,
  call,
  file,
  full,
  spendInTurn,
  subject,
} from './access-rules.test-support.js';
import { readAccessRules } from './read-access-rules.js';
import { CONDITIONS } from './read-rule.js';
import { warnAboutRules } from './warn-about-rules.js';

const page = readFileSync(
  fileURLToPath(new URL('../../../../docs/access-control.md', import.meta.url)),
  'utf8',
);
const wasm = fileURLToPath(new URL('./rego/testing/one-function.wasm', import.meta.url));
const blocks = [...page.matchAll(/^( *)```yaml[^\n]*\n(.*?)```/gms)].map(([, indent, text]) =>
  text!.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
);
const files = blocks.filter((text) => text.startsWith('access-controller'));
const rules = blocks.filter((text) => text.startsWith('- '));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'access-control-page-'));
  writeFileSync(join(folder, 'friends.txt'), '0x1\n');
  writeFileSync(join(folder, 'policy.wasm'), readFileSync(wasm));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Names in the first cells of tables. */
const named = (text: string) =>
  [...text.matchAll(/^\| (`[^|]*`[^|]*?) *\|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
  );

describe('the page on security', () => {
  it('says of every condition what it cannot see', () => {
    const security = readFileSync(
      fileURLToPath(new URL('../../../../docs/security.md', import.meta.url)),
      'utf8',
    );
    expect(named(security)).toEqual(expect.arrayContaining([...CONDITIONS]));
  });
});

describe('the page on access control', () => {
  it('shows valid files and rules', async () => {
    expect([files.length, rules.length]).toEqual([3, 7]);
    const wrapped = rules.map(
      (rule) =>
        `access-controller:\n  access-policy: deny-all\n  rules:\n${rule.replace(/^/gm, '    ')}`,
    );
    for (const text of [...files, ...wrapped]) {
      await expect(readAccessRules(text, join(folder, 'rules.yaml'))).resolves.toBeDefined();
    }
  });

  it('limits arguments and balance changes as its examples say', async () => {
    const pure = (value: bigint | string, type = 'u64') =>
      ({ kind: 'pure', isLent: false, type, value }) as const;
    const buying = (amount: bigint, to: string, usd: bigint) =>
      subject(
        { moveCalls: [call(full('dec0'), 'shop', 'buy')] },
        {
          readArguments: async () => () => [pure(0n), pure(amount), pure(to, 'address')],
          readBalanceChanges: async () => [
            { owner: BOB, coinType: `${full('dec0')}::usd::USD`, amount: usd },
          ],
        },
      );
    const good = buying(1_000n, full('a1'), 1_000n);
    const [dear, other, cheap] = [
      buying(1_001n, full('a1'), 1_000n),
      buying(1_000n, full('a3'), 1_000n),
      buying(1_000n, full('a1'), 999n),
    ];
    const allowedBy = (key: string) => {
      const rule = rules.find((text) => text.includes(key))!.replace(/^/gm, '    ');
      return allowed(file('deny-all', rule), good, dear, other, cheap);
    };
    expect(await allowedBy('- argument:')).toEqual([true, false, false, true]);
    expect(await allowedBy('c.args[1]')).toEqual([true, false, true, true]);
    expect(await allowedBy('balance-changes:')).toEqual([true, true, true, false]);
  });

  it('allows half a coin per user and day with its first rules', async () => {
    const build = (gasBudget: bigint, sender = full('a')) =>
      subject({ sender, gasBudget, moveCalls: [call(full('dec0'), 'garage', 'build_car')] });
    expect(
      await spendInTurn(
        files[0]!,
        build(499_999_999n),
        build(2n),
        build(1n),
        build(1n),
        build(500_000_000n, BOB),
        subject({ moveCalls: [call(full('dec0'), 'garage', 'drive')] }),
      ),
    ).toEqual(['allow', 'limited', 'allow', 'limited', 'allow', 'deny']);
  });

  it('does not get a warning for its first rules', async () => {
    expect(warnAboutRules(await readAccessRules(files[0]!, 'rules.yaml'))).toEqual([]);
  });

  it('names every condition', () => {
    const table = /^\| Condition .*?\n\n/ms.exec(page)![0];
    expect(named(table).toSorted()).toEqual(CONDITIONS.toSorted());
  });
});
