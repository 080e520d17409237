import { concludeFromDecisions } from './conclude-from-decisions.js';
import { concludeFromLedger } from './conclude-from-ledger.js';
import { concludeFromTrace } from './conclude-from-trace.js';
import type { Conclusion, TransactionFacts } from './transaction-facts.js';

/** The ledger decides first, then what is stored here, then what was logged. Null: nothing is known. */
export function concludeTransaction(facts: TransactionFacts): Conclusion | null {
  return concludeFromLedger(facts) ?? concludeFromTrace(facts) ?? concludeFromDecisions(facts);
}
