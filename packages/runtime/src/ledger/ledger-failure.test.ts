import { describe, expect, it } from '@jest/globals';
import { LedgerUnreachable, NodeFailure } from '@forecourt/ledger';
import { ledgerFailure } from './ledger-failure.js';

describe('the error for callers', () => {
  const invalid = new NodeFailure('malformed', { mayBeProcessed: true, isInvalid: true });
  const silent = new NodeFailure('no answer in time', { mayBeProcessed: true });

  it.each([
    ['LEDGER_ANSWER_INVALID', 'an answer that cannot be used', invalid],
    [
      'LEDGER_ANSWER_INVALID',
      'a failure because of one',
      new LedgerUnreachable('a function', { cause: invalid }),
    ],
    ['LEDGER_UNREACHABLE', 'silence', silent],
    ['LEDGER_UNREACHABLE', 'an unknown network', new LedgerUnreachable('which network')],
  ])('is %s for %s', (code, _what, error) => {
    expect(ledgerFailure(error)).toMatchObject({ code, status: 503, cause: error });
  });
});
