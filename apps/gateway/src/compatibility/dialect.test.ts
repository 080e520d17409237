import { describe, expect, it } from '@jest/globals';
import { toDialect } from './dialect.js';

const dialectOf = (path: string, answer: unknown, hasOptions = false) => {
  const { body, contentType } = toDialect(path, JSON.stringify(answer), hasOptions)!;
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

  it('has what options ask for in a transaction block', () => {
    const effects = { transactionDigest: 'D', status: { status: 'success' } };
    const answer = { effects, error: null, events: [], object_changes: null };
    expect(dialectOf('/v1/execute_tx', answer, true)).toEqual({
      effects,
      tx_block_response: { digest: 'D', effects, events: [], objectChanges: null },
      error: null,
    });
    expect(dialectOf('/v1/execute_tx', { effects, error: null })).toEqual({ effects, error: null });
  });

  it('is the same for errors of routes that answer texts', () => {
    expect(toDialect('/debug_health_check', '{"error":"no"}', false)).toBeNull();
  });

  it.each(['/v1/release_gas', '/v1/build_tx', '/openapi.json', '/rpc', ''])(
    'is the same for other routes, whose answers are not even parsed: %p',
    (path) => expect(toDialect(path, 'no JSON', false)).toBeNull(),
  );
});
