import { describe, expect, it } from '@jest/globals';
import { findExpense } from './check-structure.js';

const MAX_BATCH = 50;
const call = (params: unknown) => ({ jsonrpc: '2.0', id: 1, method: 'ledger_getEvents', params });
const text = (value: unknown) => JSON.stringify(value);
const many = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe('the structure of a message', () => {
  it.each([
    ['a call with a long string', text(call(['"[[{{,'.repeat(100_000)]))],
    ['a call with a large filter', text(call([many(1_000, { Module: 'garage' })]))],
    ['a batch of the largest size', text(many(MAX_BATCH, call(['x'.repeat(1_000)])))],
    ['a short one, whatever it is made of', '['.repeat(1_000)],
    ['a string that does not end', `["${'x'.repeat(20_000)}`],
  ])('is fine: %s', (_kind, message) => {
    expect(findExpense(message, MAX_BATCH)).toBeNull();
  });

  it.each([
    ['deep nesting', '['.repeat(450_000), /nested more than 512 levels/],
    ['many empty arrays', text(call(many(300_000, []))), /too many short arrays and objects/],
    ['many numbers', text(call(many(100_000, 1))), /too many short values/],
    ['many empty texts', text(call(many(100_000, ''))), /too many short values/],
    [
      'many fields',
      text(call(Object.fromEntries(many(20_000, 0).map((_, index) => [index.toString(36), 1])))),
      /too many short values/,
    ],
    ['too many calls', text(many(60, call(['x'.repeat(1_000)]))), /batch of 60 calls exceeds/],
  ])('is refused before it is parsed: %s', (_kind, message, reason) => {
    expect(findExpense(message, MAX_BATCH)).toMatch(reason);
  });
});
