import { conclude, type Conclusion, type TransactionFacts } from './transaction-facts.js';

/** What follows from the access audit for a transaction without any other trace; null: nothing, or the ledger may know more. */
export function concludeFromDecisions({
  decisions,
  onLedger,
}: TransactionFacts): Conclusion | null {
  const last = decisions?.at(-1);
  if (last === undefined) return null;
  const by = last.rule == null ? 'the policy or a budget' : `rule ${last.rule}`;
  const whose = `the transaction of ${last.caller} at ${last.time}`;
  if (last.outcome !== 'allow') {
    return conclude(
      'denied',
      `The access rules did not allow ${whose}: ${last.outcome}, by ${by}.`,
      'If it should be sponsored, find the rule that decides with `forecourt access explain`, and change it.',
    );
  }
  if (onLedger === 'unreachable') return null;
  return conclude(
    'not_executed',
    `The access rules allowed ${whose} (${by}), but the ledger has not executed it, and there is no other trace of it: it was refused later, or abandoned.`,
    'Look for its digest in the logs of gateways and executors.',
  );
}
