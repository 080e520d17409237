import { ForecourtError } from '@forecourt/contracts';
import type { LedgerUnreachable } from '@forecourt/ledger';

/** The error that callers get. */
export function ledgerFailure(error: LedgerUnreachable): ForecourtError {
  const code = error.isInvalid ? 'LEDGER_ANSWER_INVALID' : 'LEDGER_UNREACHABLE';
  return new ForecourtError(code, '', { cause: error });
}
