import { describe, expect, it } from '@jest/globals';
import { commandKinds } from '@forecourt/ledger';
import fc from 'fast-check';
import { allowed, call, decide, file, full, read, subject } from './access-rules.test-support.js';

const EVERYTHING = `access-controller:
  access-policy: deny-all
  denied-reservation: free
  sponsor-budget: [{ value: 5 IOTA, window: 1 day }]
  rules:
    - name: one
      token: [shop, kiosk]
      time: { from: '00:00', days: mon-sun }
      sender-address: [0x1, '0xa']
      transaction-gas-budget: <=0.5 IOTA
      ptb-command-count: '<10'
      command-kind: [MoveCall]
      move-call-function: '0x2::*::f'
      gas-usage: { value: '<=1_000', window: 2h 30m, count-by: [sender-address, package] }
      action: allow
    - type-argument: 0x2::coin::Coin<0x2::iota::IOTA>
      object-id: 0x6
      message: no
      action: deny
    - expression: 'tx.calls.all(c, c.module == "m") && matches(tx.sender, "^0x0")'
      action: { url: 'http://127.0.0.1:1', timeout: 1s, when-down: no-decision }
`;

describe('fuzzed access rules', () => {
  it('accept a randomly edited file, or refuse it at a line', async () => {
    const position = fc.nat(EVERYTHING.length - 1);
    const edit = fc.tuple(
      position,
      fc.nat(6),
      fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom(...'-:{}[]*&!|>\'"#\n ')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 3 }), async (edits) => {
        let text = EVERYTHING;
        for (const [start, length, put] of edits) {
          text = text.slice(0, start) + put + text.slice(start + length);
        }
        const error: unknown = await read(text).then(
          () => null,
          (thrown: unknown) => thrown,
        );
        if (error === null) return;
        expect(error).toMatchObject({ name: 'InvalidFile', line: expect.any(Number) });
        expect((error as { line: number }).line).toBeGreaterThan(0);
      }),
      { numRuns: 1_500 },
    );
  });

  it('allow a random transaction only by a rule that it matches', async () => {
    const rules = await read(EVERYTHING);
    const name = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.constantFrom('m', 'f', '__proto__', 'constructor'),
    );
    const address = fc.oneof(
      fc.constantFrom('1', '2', '6', 'a').map(full),
      fc.bigInt(0n, 2n ** 256n - 1n).map((value) => full(value.toString(16))),
    );
    const types = fc.array(fc.string({ maxLength: 30 }), { maxLength: 3 });
    const moveCalls = fc.array(
      fc.tuple(address, name, name, types).map((parts) => call(...parts)),
      { maxLength: 40 },
    );
    const objects = fc.array(
      address.map((objectId) => ({ objectId, version: 1, digest: 'd' })),
      { maxLength: 5 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          sender: address,
          moveCalls,
          ownedInputs: objects,
          receivedInputs: objects,
          gasBudget: fc.bigInt(0n, 2n ** 64n - 1n),
          commandKinds: fc.array(fc.constantFrom(...commandKinds), { maxLength: 50 }),
        }),
        async (of) => {
          const { outcome, rule } = await decide(rules, subject(of));
          if (rule?.name !== 'one') return;
          const isOne =
            [full('1'), full('a')].includes(of.sender) &&
            of.gasBudget <= 500_000_000n &&
            of.commandKinds.length < 10 &&
            of.commandKinds.length > 0 &&
            of.commandKinds.every((kind) => kind === 'MoveCall') &&
            of.moveCalls.every((one) => one.packageId === full('2') && one.function === 'f');
          expect([outcome, isOne]).toEqual(['allow', true]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('compile or refuse a random expression, and evaluate it in bounded time', async () => {
    const piece = fc.constantFrom(
      'tx',
      '.calls',
      '.sender',
      '.all(c, ',
      '.exists(c, ',
      'c.module',
      'dyn(',
      ')',
      ' == ',
      '[0]',
      '"m"',
      '1',
      ' && ',
      '!',
      'matches(',
      'onlyCalls(tx, ["*::m::f"])',
      'onlyCommands(tx, ["MoveCall"])',
      ', "(a+)+$"',
      'now',
      'type(',
      'has(',
      '.constructor',
    );
    const big = subject({ moveCalls: Array.from({ length: 1_024 }, () => call(full('2'))) });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 8 }), async (pieces) => {
        const text = file(
          'deny-all',
          `    - expression: '${pieces.join('')}'\n      action: allow`,
        );
        const startedAt = performance.now();
        await allowed(text, big).catch((error: unknown) => {
          expect(error).toMatchObject({ name: 'InvalidFile' });
        });
        expect(performance.now() - startedAt).toBeLessThan(3_000);
      }),
      { numRuns: 1_000 },
    );
  });
});
