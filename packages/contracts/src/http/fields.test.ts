import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { validateSync } from 'class-validator';
import { ExecuteTxRequest } from './execute-tx.dto.js';
import { CheckWithdrawalRequest, WithdrawAmountRequest, WithdrawRequest } from './sponsors.dto.js';
import { ReserveGasRequest } from './reserve-gas.dto.js';

const problemsOf = <T extends object>(request: T, fields: Partial<Record<keyof T, unknown>>) =>
  validateSync(Object.assign(request, fields)).flatMap((error) =>
    Object.values(error.constraints ?? {}),
  );

describe('the body of reserve_gas', () => {
  const good = { gas_budget: 1_999_999_999, reserve_duration_secs: 600 };
  const reserve = (over: object) => problemsOf(new ReserveGasRequest(), { ...good, ...over });

  it('accepts its bounds', () => {
    expect(reserve({})).toEqual([]);
    expect(reserve({ gas_budget: 1, reserve_duration_secs: 1 })).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['gas_budget', 0, '0'],
    ['gas_budget', 2_000_000_000, '2000000000'],
    ['gas_budget', -1, '-1'],
    ['gas_budget', '5', '"5"'],
    ['gas_budget', 5.5, '5.5'],
    ['gas_budget', Infinity, 'Infinity'],
    ['gas_budget', true, 'true'],
    ['gas_budget', null, 'null'],
    ['gas_budget', undefined, 'nothing'],
    ['gas_budget', {}, 'an object'],
    ['reserve_duration_secs', 0, '0'],
    ['reserve_duration_secs', 601, '601'],
    ['reserve_duration_secs', [60], 'an array'],
  ])(
    'refuses an invalid %s with its bounds and the received value: %p',
    (field, value, arrived) => {
      const bounds = field === 'gas_budget' ? 'from 1 to 1999999999' : 'from 1 to 600';
      expect(reserve({ [field]: value })).toEqual([
        `${field} must be an integer ${bounds}; got ${arrived}`,
      ]);
    },
  );

  it('is refused without repeating a long text', () => {
    const [problem] = reserve({ gas_budget: 'x'.repeat(10_000) });
    expect(problem!.length).toBeLessThan(150);
  });
});

describe('the body of a withdrawal', () => {
  const good = { sponsor_address: '0x5', to_address: '0x6', reason: 'a' };
  const withdraw = (over: object) => problemsOf(new CheckWithdrawalRequest(), { ...good, ...over });

  it.each([
    {},
    { amount: null, request_id: null },
    { amount: '1' },
    { amount: '9223372036854775807', request_id: 'a', after_loss: '1764366723123' },
  ])('is accepted with %p', (over) => expect(withdraw(over)).toEqual([]));

  it.each(['0', '-1', '1.5', '01', '', ' 1', '9223372036854775808', 5, '0x5'])(
    'is refused with the amount %p',
    (amount) => {
      expect(withdraw({ amount })).toEqual([
        `amount must be a decimal integer in text from 1 to 9223372036854775807; got ${JSON.stringify(amount)}`,
      ]);
    },
  );

  it('is refused with an empty or a long id of the request, or of a suspension', () => {
    for (const id of ['', 'x'.repeat(65)]) {
      expect(withdraw({ amount: '1', request_id: id })).toHaveLength(1);
      expect(withdraw({ after_loss: id })).toHaveLength(1);
    }
    expect(problemsOf(new WithdrawRequest(), { ...good, after_loss: 5 })).toHaveLength(1);
  });

  it('needs an amount to order one, and has none to order everything', () => {
    expect(problemsOf(new WithdrawAmountRequest(), { ...good, amount: '1' })).toEqual([]);
    expect(problemsOf(new WithdrawAmountRequest(), good)).toHaveLength(1);
    const problems = (amount: unknown) => problemsOf(new WithdrawRequest(), { ...good, amount });
    expect([undefined, null].map(problems)).toEqual([[], []]);
    for (const amount of ['1', '', 0, false]) {
      expect(problems(amount)).toEqual(['amount is ordered with POST /v1/withdraw_amount']);
    }
  });
});

describe('the body of execute_tx', () => {
  const good = { reservation_id: 64, tx_bytes: 'AAAA', user_sig: 'AA==' };
  const execute = (over: object) => problemsOf(new ExecuteTxRequest(), { ...good, ...over });

  it.each([
    {},
    { requestType: 'waitForEffectsCert' },
    { request_type: 'waitForLocalExecution' },
    { requestType: null },
  ])('is accepted with %p', (over) => expect(execute(over)).toEqual([]));

  it.each([
    { reservation_id: 0 },
    { reservation_id: 2 ** 53 },
    { tx_bytes: '' },
    { tx_bytes: 'AAA' },
    { tx_bytes: 'AAA!' },
    { tx_bytes: 'A'.repeat(200_000) },
    { user_sig: 5 },
    { requestType: 'WaitForEffectsCert' },
    { request_type: '' },
  ])('is refused with %p, and the error names the field', (over) => {
    const problems = execute(over);
    expect(problems).toEqual([expect.stringContaining(Object.keys(over)[0]!)]);
    expect(problems[0]!.length).toBeLessThan(200);
  });

  it.each([
    ['0x00ff', 'hex'],
    ['00Ff'.repeat(32), 'hex'],
    ['AAA_', 'base64url'],
    ['AA-_AA', 'base64url'],
    ['AAA', 'base64 without padding'],
  ])('is refused with the name of the encoding of %s', (text, encoding) => {
    for (const field of ['tx_bytes', 'user_sig']) {
      const expected = new RegExp(`^${field} must be base64 text .*; got ${encoding}: "`);
      expect(execute({ [field]: text })).toEqual([expect.stringMatching(expected)]);
    }
  });

  it.each([
    'AAAA',
    'A'.repeat(128),
    'deadbeef',
    'AAAA+/A=',
    Buffer.alloc(97, 255).toString('base64'),
  ])('is accepted with this base64: %s', (text) => expect(execute({ tx_bytes: text })).toEqual([]));
});
