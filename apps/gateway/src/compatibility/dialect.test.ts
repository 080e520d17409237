import { describe, expect, it } from '@jest/globals';
import { type AnswerForm, toDialect } from './dialect.js';

const usual: AnswerForm = { hasOptions: false, coinVersions: 'integer' };

const dialectOf = (path: string, answer: unknown, form: Partial<AnswerForm> = {}) => {
  const { body, contentType } = toDialect(path, JSON.stringify(answer), { ...usual, ...form })!;
  return contentType.startsWith('text/plain') ? body : (JSON.parse(body) as unknown);
};

describe('the dialect of public gas stations', () => {
  it('has texts without quotes', () => {
    expect(dialectOf('/version', '1.0.0-0123456789ab')).toBe('1.0.0-0123456789ab');
  });

  it('has both fields of an answer, one of them null', () => {
    expect(dialectOf('/v1/reserve_gas', { result: { reservation_id: 64 } })).toEqual({
      result: { reservation_id: 64 },
      error: null,
    });
    expect(dialectOf('/v1/reserve_gas', { error: 'no' })).toEqual({ result: null, error: 'no' });
    expect(dialectOf('/v1/execute_tx', { error: 'no' })).toEqual({ effects: null, error: 'no' });
  });

  it('has versions of coins as text, and their ids under a second name, if so configured', () => {
    const coin = { objectId: '0x1', version: 2, digest: 'D' };
    const answer = { result: { sponsor_address: '0x5', reservation_id: 64, gas_coins: [coin] } };
    const { result } = answer;
    expect(dialectOf('/v1/reserve_gas', answer)).toEqual({ result, error: null });
    expect(dialectOf('/v1/reserve_gas', answer, { coinVersions: 'string' })).toEqual({
      result: { ...result, gas_coins: [{ ...coin, object_id: '0x1', version: '2' }] },
      error: null,
    });
    expect(dialectOf('/v1/reserve_gas', { error: 'no' }, { coinVersions: 'string' })).toEqual({
      result: null,
      error: 'no',
    });
  });

  it('has what options ask for in a transaction block', () => {
    const effects = { transactionDigest: 'D', status: { status: 'success' } };
    const answer = { effects, error: null, events: [], object_changes: null };
    expect(dialectOf('/v1/execute_tx', answer, { hasOptions: true })).toEqual({
      effects,
      tx_block_response: { digest: 'D', effects, events: [], objectChanges: null },
      error: null,
    });
    expect(dialectOf('/v1/execute_tx', { effects, error: null })).toEqual({ effects, error: null });
  });

  it('is the same for errors of routes that answer texts', () => {
    expect(toDialect('/debug_health_check', '{"error":"no"}', usual)).toBeNull();
  });

  it.each(['/v1/release_gas', '/v1/build_tx', '/openapi.json', '/rpc', ''])(
    'is the same for other routes, whose answers are not even parsed: %p',
    (path) => expect(toDialect(path, 'no JSON', usual)).toBeNull(),
  );
});
