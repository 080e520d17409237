import { describe, expect, it } from '@jest/globals';
import { ALICE, BOB, file, read } from './access-rules.test-support.js';

describe('a rule that is read', () => {
  it('has its name and line, and each of its conditions as written', async () => {
    const rules = await read(
      file(
        'deny-all',
        `    - name: swaps
      transaction-gas-budget: <=500_000
      sender-address: [${ALICE}, '${BOB}']
      reservation-gas-budget: <5_000_000
      action: allow
    - token: shop
      action: deny
      message: ${'x'.repeat(600)}`,
      ),
    );
    const [named, unnamed] = rules.rules;
    expect(named).toMatchObject({ name: 'swaps', line: 4, action: 'allow', message: null });
    const asWritten = named!.conditions.map(({ name, text, needs }) => [name, text, needs]);
    expect(asWritten).toEqual([
      ['reservation-gas-budget', '<5_000_000', 'reservation'],
      ['sender-address', JSON.stringify([ALICE, BOB]), 'transaction'],
      ['transaction-gas-budget', '<=500_000', 'transaction'],
    ]);
    expect(unnamed).toMatchObject({ name: 'line 9', action: 'deny', message: 'x'.repeat(500) });
  });
});
