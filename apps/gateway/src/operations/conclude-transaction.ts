import type { ExplainedOnLedger } from '@forecourt/contracts/http';
import { formatAmount } from '@forecourt/ledger';
import { concludeFromTrace } from './conclude-from-trace.js';
import { conclude, type Conclusion, type TransactionFacts } from './transaction-facts.js';

/** The ledger's record counts first, then the stored one, then the logged one. Null: there is no record. */
export function concludeTransaction(facts: TransactionFacts): Conclusion | null {
  return concludeFromLedger(facts) ?? concludeFromTrace(facts) ?? concludeFromDecisions(facts);
}

/** The conclusion if the ledger has executed the transaction; null: it has not, or does not tell. */
function concludeFromLedger(facts: TransactionFacts): Conclusion | null {
  const { onLedger, sponsors } = facts;
  if (onLedger === null || typeof onLedger === 'string') return null;
  const { gas_owner: payer, sender } = onLedger;
  const executed = `The ledger has executed it in epoch ${onLedger.epoch}`;
  if (payer === null || !sponsors.includes(payer)) {
    const paid = payer === null ? 'the node does not show by whom' : `by ${payer}`;
    return conclude(
      'not_sponsored',
      `${executed}, but its gas was not paid by a sponsor of this gas station: ${paid}.`,
      'Nothing needs to be done here: ask the owner of the account that paid for it.',
    );
  }
  if (sender === payer) {
    return conclude(
      'maintenance',
      `${executed} for ${formatAmount(onLedger.gas_charged)}. It is the sponsor’s own: it splits, consolidates or moves coins.`,
    );
  }
  return concludeSponsored(facts, onLedger, executed);
}

function concludeSponsored(
  { trace, digest }: TransactionFacts,
  { status, error, gas_charged: charged, gas_owner: sponsor }: ExplainedOnLedger,
  executed: string,
): Conclusion {
  const isBound = trace !== null && trace.digest === digest;
  const isSettled = !isBound || trace.state === 'executed';
  const who = isBound
    ? ` for ${trace.caller} with reservation ${trace.reservationId}`
    : '; the record of its reservation has been deleted';
  const coins = isSettled
    ? ''
    : ' It is not settled yet: its coins return to the pool once an executor has seen this.';
  const paid = `${executed}; the sponsor ${sponsor} paid ${formatAmount(charged)}${who}.${coins}`;
  const unsettled =
    'If it is not settled within a minute, check that executors run and the queue moves.';
  if (status === 'success') {
    return conclude('succeeded', paid, ...(isSettled ? [] : [unsettled]));
  }
  const failed = `It failed: ${error ?? 'the ledger gives no reason'}. The gas is charged all the same.`;
  const correct = 'The application must correct what the transaction does.';
  return conclude('failed', `${paid} ${failed}`, isSettled ? correct : `${correct} ${unsettled}`);
}

/**
 * Concludes from the access audit about a transaction without any other trace; null if the audit lacks it, or
 * only the ledger knows.
 */
function concludeFromDecisions({ decisions, onLedger }: TransactionFacts): Conclusion | null {
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
  if (typeof onLedger === 'string') return null;
  return conclude(
    'not_executed',
    `The access rules allowed ${whose} (${by}), but the ledger has not executed it, and there is no other trace of it: it was refused later, or abandoned.`,
    'Look for its digest in the logs of gateways and executors.',
  );
}
