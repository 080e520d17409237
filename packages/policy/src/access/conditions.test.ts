import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import {
  ALICE,
  allowed,
  BOB,
  call,
  decide,
  file,
  full,
  PACKAGE,
  subject,
} from './access-rules.test-support.js';
import { readAccessRules } from './read-access-rules.js';

const allowing = (conditions: string) => file('deny-all', `    - action: allow\n${conditions}`);
const denying = (conditions: string) => file('allow-all', `    - action: deny\n${conditions}`);
const reference = (objectId: string) => ({ objectId, version: 1, digest: 'd' });

describe('the policy', () => {
  it.each([
    ['disabled', true],
    ['allow-all', true],
    ['deny-all', false],
  ])('decides if no rule does: %s', async (policy, expected) => {
    const text = `access-controller:\n  access-policy: ${policy}`;
    expect(await allowed(text, subject())).toEqual([expected]);
  });

  it('does not evaluate rules if it is disabled', async () => {
    expect(await allowed(file('disabled', `    - action: deny`), subject())).toEqual([true]);
  });
});

describe('addresses', () => {
  it.each(['0xA', '0x0a', '0x000A', full('a'), full('a').toUpperCase().replace('X', 'x')])(
    'match an address in any notation with sender-address, without quotes: %s',
    async (spelt) => {
      const text = allowing(`      sender-address: [${spelt}, 0xb]`);
      const senders = [full('a'), BOB, full('aa')].map((sender) => subject({ sender }));
      expect(await allowed(text, ...senders)).toEqual([true, true, false]);
    },
  );

  it('read the addresses of sender-address from a file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'senders-'));
    writeFileSync(join(folder, 'senders.txt'), `# friends\n0x0B # Bob\n\n${full('c')}\n`);
    const text = allowing('      sender-address: { file: senders.txt }');
    const rules = await readAccessRules(text, join(folder, 'rules.yaml'));
    const decisions = [BOB, full('c'), ALICE].map((sender) => decide(rules, subject({ sender })));
    const outcomes = (await Promise.all(decisions)).map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['allow', 'allow', 'deny']);
    writeFileSync(join(folder, 'senders.txt'), '0xb\nBob\n');
    await expect(readAccessRules(text, join(folder, 'rules.yaml'))).rejects.toThrow(
      /line 5: file senders.txt, line 2: must be an address/,
    );
    rmSync(folder, { recursive: true });
  });
});

describe('conditions of Move calls', () => {
  const both = subject({ moveCalls: [call(PACKAGE), call(BOB)] });
  const only = subject({ moveCalls: [call(PACKAGE), call(PACKAGE, 'n')] });

  it('must hold for every call to allow, for any to deny', async () => {
    const condition = `      move-call-package-address: "${PACKAGE}"`;
    expect(await allowed(allowing(condition), only, both, subject())).toEqual([true, false, false]);
    expect(await allowed(denying(condition), both, subject())).toEqual([false, true]);
  });

  it('do not allow Publish or Upgrade unless the rule says so', async () => {
    const condition = `      move-call-package-address: "${PACKAGE}"`;
    const kinds = (...commandKinds: ('MoveCall' | 'Publish' | 'Upgrade')[]) =>
      subject({ moveCalls: [call(PACKAGE)], commandKinds });
    const subjects = [
      kinds('MoveCall', 'Publish'),
      kinds('MoveCall', 'Upgrade'),
      kinds('MoveCall'),
    ];
    expect(await allowed(allowing(condition), ...subjects)).toEqual([false, false, true]);
    const named = `${condition}\n      command-kind: [MoveCall, Publish]`;
    expect(await allowed(allowing(named), ...subjects)).toEqual([true, false, true]);
  });

  it('match functions with move-call-function, with * for any part', async () => {
    const text = allowing(`      move-call-function: ["${PACKAGE}::m::f", "0xb::*::run"]`);
    const calling = (...moveCalls: ReturnType<typeof call>[]) => subject({ moveCalls });
    expect(
      await allowed(
        text,
        calling(call(PACKAGE)),
        calling(call(PACKAGE, 'm', 'g')),
        calling(call(BOB, 'x', 'run')),
        calling(call(PACKAGE), call(BOB, 'y', 'run')),
        calling(call(PACKAGE), call(ALICE)),
      ),
    ).toEqual([true, false, true, true, false]);
  });

  it.each([
    ['a letter that looks the same', 'mа'],
    ['an invisible letter', 'm\u200b'],
    ['a wide letter', 'ｍ'],
    ['an upper-case letter', 'M'],
    ['the name of a prototype', '__proto__'],
  ])('do not match a module name with %s in move-call-function', async (_what, module) => {
    const text = allowing(`      move-call-function: "${PACKAGE}::m::f"`);
    expect(await allowed(text, subject({ moveCalls: [call(PACKAGE, module)] }))).toEqual([false]);
  });

  it('match with or without the type’s parameters in type-argument', async () => {
    const coin = (of: string) =>
      `${full('2')}::coin::Coin<${full('2')}::${of}::${of.toUpperCase()}>`;
    const typed = (...types: string[]) => subject({ moveCalls: [call(PACKAGE, 'm', 'f', types)] });
    const subjects = [typed(coin('iota')), typed(coin('btc')), typed(coin('iota'), 'u64'), typed()];
    const exact = '"0x2::coin::Coin<0x2::iota::IOTA>"';
    expect(await allowed(allowing(`      type-argument: ${exact}`), ...subjects)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(await allowed(allowing(`      type-argument: 0x02::coin::Coin`), ...subjects)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(await allowed(denying(`      type-argument: ${exact}`), ...subjects)).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });
});

describe('conditions of a transaction', () => {
  it.each([
    ['=', [false, true, false]],
    ['!=', [true, false, true]],
    ['<', [true, false, false]],
    ['>', [false, false, true]],
    ['<=', [true, true, false]],
    ['>=', [false, true, true]],
  ])('compare amounts with %s, exactly', async (operator, expected) => {
    const limit = 9_007_199_254_740_993n;
    const text = allowing(`      transaction-gas-budget: '${operator}${limit}'`);
    const budgets = [limit - 1n, limit, limit + 1n].map((gasBudget) => subject({ gasBudget }));
    expect(await allowed(text, ...budgets)).toEqual(expected);
  });

  it('accept amounts in coins', async () => {
    const text = allowing(`      transaction-gas-budget: <=0.5 IOTA`);
    const budgets = [500_000_000n, 500_000_001n].map((gasBudget) => subject({ gasBudget }));
    expect(await allowed(text, ...budgets)).toEqual([true, false]);
  });

  it('match the kinds of commands with command-kind', async () => {
    const kinds = (...commandKinds: ('TransferObjects' | 'SplitCoins')[]) =>
      subject({ commandKinds });
    const subjects = [kinds('TransferObjects'), kinds('SplitCoins', 'TransferObjects')];
    const condition = '      command-kind: TransferObjects';
    expect(await allowed(allowing(condition), ...subjects)).toEqual([true, false]);
    expect(await allowed(denying('      command-kind: [SplitCoins]'), ...subjects)).toEqual([
      true,
      false,
    ]);
  });

  it('match owned, shared and received objects with object-id', async () => {
    const taking = (...objects: string[]) => ({
      moveCalls: [call(PACKAGE, 'm', 'f', [], objects.map(full))],
    });
    const subjects = [
      subject({ ownedInputs: [reference(full('5'))], ...taking('5') }),
      subject({
        sharedInputs: [{ objectId: full('6'), initialSharedVersion: 1, mutable: true }],
        ...taking('6'),
      }),
      subject({
        receivedInputs: [reference(full('7'))],
        ownedInputs: [reference(full('5'))],
        ...taking('5', '7'),
      }),
      subject(),
    ];
    const condition = '      object-id: [0x5, 0x6]';
    expect(await allowed(allowing(condition), ...subjects)).toEqual([true, true, false, false]);
    expect(await allowed(denying('      object-id: 0x7'), ...subjects)).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });
});

describe('conditions that need no transaction', () => {
  it('match the name of the caller’s token with token', async () => {
    const text = allowing('      token: [shop, kiosk]');
    const callers = ['shop', 'kiosk', 'bar'].map((caller) => subject({}, { caller }));
    expect(await allowed(text, ...callers)).toEqual([true, true, false]);
  });

  it('match the budget and duration of a reservation', async () => {
    const text = allowing(
      "      reservation-gas-budget: '<=1000000'\n      reservation-duration-secs: '<60'",
    );
    const reserved = [
      { gasBudget: 1_000_000, durationSecs: 59 },
      { gasBudget: 1_000_001, durationSecs: 59 },
      { gasBudget: 1, durationSecs: 60 },
    ].map((reservation) => subject({}, { reservation }));
    expect(await allowed(text, ...reserved)).toEqual([true, false, false]);
  });

  it.each([
    ['{ from: "12:00", to: "13:00" }', true],
    ['{ from: "12:00", to: "12:30" }', false],
    ['{ from: "22:00", to: "13:00" }', true],
    ['{ from: "13:30", to: "14:00", time-zone: Europe/Berlin }', true],
    ['{ from: "08:00", to: "08:00" }', true],
    ['{ from: "12:30", to: "12:30", days: sat }', true],
    ['{ from: "13:00", to: "13:00", days: sat }', false],
    ['{ from: "13:00", to: "13:00", days: fri }', true],
    ['{ from: "12:00", to: "24:00" }', true],
    ['{ to: "00:00", days: sat }', true],
    ['{ days: sat }', true],
    ['{ days: mon-fri }', false],
    ['{ days: [fri-sun] }', true],
    ['{ after: 2026-11-21T12:30:00Z, before: 2026-12-01 }', true],
    ['{ before: 2026-11-21T12:30:00Z }', false],
  ])('match the time %s on Saturday at 12:30, or not', async (time, expected) => {
    expect(await allowed(allowing(`      time: ${time}`), subject())).toEqual([expected]);
  });

  it.each([
    ['thu', '2026-11-26T22:00:00Z', true],
    ['thu', '2026-11-27T00:22:00Z', true],
    ['thu', '2026-11-27T05:59:59Z', true],
    ['thu', '2026-11-27T06:00:00Z', false],
    ['thu', '2026-11-26T00:22:00Z', false],
    ['sun', '2026-11-30T00:22:00Z', true],
    ['mon', '2026-11-30T00:22:00Z', false],
  ])(
    'match 22:00 to 06:00 of the night that begins on %s, at %s or not',
    async (day, index, expected) => {
      const text = allowing(`      time: { from: "22:00", to: "06:00", days: ${day} }`);
      expect(await allowed(text, subject({}, { time: new Date(index) }))).toEqual([expected]);
    },
  );
});
