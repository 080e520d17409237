import { describe, expect, it } from '@jest/globals';
import { file, read } from './access-rules.test-support.js';
import { decideReservation } from './decide-access.js';

const reserving = (caller: string, gasBudget = 1_000, durationSecs = 60) => ({
  caller,
  reservation: { gasBudget, durationSecs },
  at: new Date(),
});

describe('a reservation', () => {
  it('is denied if no transaction could be allowed with it', async () => {
    const rules = await read(
      file(
        'deny-all',
        `    - token: shop
      reservation-gas-budget: '<=1000'
      sender-address: '0x1'
      action: allow`,
      ),
    );
    const decisions = [reserving('shop'), reserving('bar'), reserving('shop', 1_001)];
    expect(decisions.map((one) => decideReservation(rules, one).allowed)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('is denied by a rule that needs no transaction, not by one that needs it', async () => {
    const rules = await read(
      file(
        'allow-all',
        `    - name: long
      reservation-duration-secs: '>60'
      action: deny
    - sender-address: '0x1'
      action: deny
    - token: bar
      requests: { value: '>1', window: 1 day }
      action: deny`,
      ),
    );
    const long = decideReservation(rules, reserving('shop', 1, 61));
    expect([long.allowed, long.rule?.name]).toEqual([false, 'long']);
    expect(decideReservation(rules, reserving('bar')).allowed).toBe(true);
  });

  it('is not denied by a rule after one that may allow', async () => {
    const rules = await read(
      file('deny-all', `    - action: http://127.0.0.1:1\n    - action: deny`),
    );
    expect(decideReservation(rules, reserving('shop')).allowed).toBe(true);
  });

  it('is not evaluated if the policy is disabled', async () => {
    const rules = await read(file('disabled', '    - action: deny'));
    expect(decideReservation(rules, reserving('shop')).allowed).toBe(true);
  });
});
