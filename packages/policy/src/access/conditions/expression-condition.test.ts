import { describe, expect, it } from '@jest/globals';
import { allowed, BOB, call, file, full, PACKAGE, subject } from '../access-rules.test-support.js';

const allowing = (expression: string) =>
  file('deny-all', `    - expression: '${expression}'\n      action: allow`);
const denying = (expression: string) =>
  file('allow-all', `    - expression: '${expression}'\n      action: deny`);

describe('an expression', () => {
  const request = subject({
    moveCalls: [call(PACKAGE, 'garage', 'build_car', ['u64'])],
    sharedInputs: [{ objectId: full('6'), initialSharedVersion: 1, mutable: false }],
  });

  it.each([
    `tx.sender == "${full('b')}"`,
    'tx.gasBudget <= 500000 && tx.gasPrice == 1000',
    `tx.calls.all(c, c.packageId == "${PACKAGE}" && c.module == "garage")`,
    'tx.calls[0].name.startsWith("build_") && tx.calls[0].typeArguments == ["u64"]',
    'size(tx.calls) == 1 && tx.commandKinds == ["MoveCall"]',
    `"${full('6')}" in tx.sharedObjects && size(tx.ownedObjects) == 0`,
    'token == "shop" && reservation.gasBudget == 2000000 && reservation.durationSecs == 60',
    'now < timestamp("2027-01-01T00:00:00Z") && now.getHours() == 12',
    'matches(tx.calls[0].name, "^build_(car|house)$")',
  ])('can read the transaction: %s', async (expression) => {
    const ofBob = { ...request, transaction: { ...request.transaction, sender: BOB } };
    expect(await allowed(allowing(expression), ofBob)).toEqual([true]);
    expect(await allowed(allowing(`!(${expression})`), ofBob)).toEqual([false]);
  });

  it.each([
    `onlyCalls(tx, ["${PACKAGE}::garage::build_car"])`,
    `onlyCalls(tx, ["0xb::m::f", "*::garage::*"]) && tx.gasBudget > 0`,
    'onlyCommands(tx, ["MoveCall", "TransferObjects"])',
  ])('can require that a transaction does nothing else: %s', async (expression) => {
    const build = call(PACKAGE, 'garage', 'build_car');
    const subjects = [
      subject({ moveCalls: [build, build] }),
      subject({ moveCalls: [build], commandKinds: ['MoveCall', 'SplitCoins'] }),
      subject({ commandKinds: ['SplitCoins'] }),
      subject({ commandKinds: [] }),
    ];
    expect(await allowed(allowing(expression), ...subjects)).toEqual([true, false, false, false]);
    const other = subject({ moveCalls: [build, call(PACKAGE, 'other', 'build_car')] });
    expect(await allowed(allowing(expression), other)).toEqual([expression.includes('Commands')]);
  });

  it.each([
    'tx.calls.all(c, c.module == "garage")',
    'tx["calls"].all(c, c.module == "garage")',
    'tx.calls.filter(c, c.name != "x").all(c, c.module == "garage") && size(tx.sender) > 0',
    '!tx.calls.exists(c, c.module != "garage")',
    '!(tx.calls.exists(c, c.module != "garage")) && size(tx.sender) > 0',
    'tx.calls.exists(c, c.module != "garage") == false',
    'false == tx.calls.exists(c, c.module != "garage")',
    'size(tx.calls.filter(c, c.module != "garage")) == 0',
    'tx.calls.filter(c, c.module != "garage").size() < 1',
    'tx.calls.map(c, c.module).filter(m, m != "garage") == []',
    'tx.calls.exists(c, c.module != "garage") ? false : true',
    'size(tx.calls.filter(c, c.module == "garage")) == size(tx.calls)',
  ])(
    'does not allow a transaction without calls if it is about all calls: %s',
    async (expression) => {
      const without = subject({ commandKinds: ['SplitCoins'] });
      expect(await allowed(allowing(expression), request, without)).toEqual([true, false]);
      expect(await allowed(denying(expression), request, without)).toEqual([false, false]);
    },
  );

  it('allows a transaction without calls if it would allow any call', async () => {
    const without = subject({ commandKinds: ['SplitCoins'] });
    const expression = `tx.sender == "${without.transaction.sender}" || tx.calls[0].module == "garage"`;
    expect(await allowed(allowing(expression), without)).toEqual([true]);
  });

  it('decides against the transaction if it fails', async () => {
    const failing = 'tx.calls[3].module == "m"';
    expect(await allowed(allowing(failing), request)).toEqual([false]);
    expect(await allowed(denying(failing), request)).toEqual([false]);
  });

  it('reads amounts above its integers as the largest integer', async () => {
    const gasPrice = 2n ** 64n - 1n;
    expect(await allowed(allowing('tx.gasPrice > 1'), subject({ gasPrice }))).toEqual([true]);
  });

  it('does not run over a transaction on which it would take long', async () => {
    const loops = 'tx.calls.all(a, tx.calls.all(b, a.module == b.module))';
    const calls = (count: number) =>
      subject({ moveCalls: Array.from({ length: count }, () => call(PACKAGE)) });
    const startedAt = performance.now();
    expect(await allowed(allowing(loops), calls(100), calls(1_024))).toEqual([true, false]);
    expect(await allowed(denying(loops), calls(1_024))).toEqual([false]);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  it('matches patterns in linear time', async () => {
    const text = allowing('matches(tx.calls[0].name, "^(a+)+$")');
    const name = `${'a'.repeat(20_000)}!`;
    const startedAt = performance.now();
    expect(await allowed(text, subject({ moveCalls: [call(PACKAGE, 'm', name)] }))).toEqual([
      false,
    ]);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  it.each(['__proto__', 'constructor', 'toString'])(
    'compares a function called %s like any other',
    async (name) => {
      const odd = subject({ moveCalls: [call(PACKAGE, name, name)] });
      expect(await allowed(allowing('tx.calls.exists(c, c.name == "f")'), odd)).toEqual([false]);
    },
  );
});
