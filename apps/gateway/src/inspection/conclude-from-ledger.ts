import type { ExplainedOnLedger } from '@forecourt/contracts';
import { conclude, type Conclusion, type TransactionFacts } from './transaction-facts.js';

/** What follows when the ledger has executed the transaction; null: it has not, or no node answers. */
export function concludeFromLedger(facts: TransactionFacts): Conclusion | null {
  const { onLedger, sponsors } = facts;
  if (onLedger === null || onLedger === 'unreachable') return null;
  const { gas_owner: payer, sender } = onLedger;
  const executed = `The ledger has executed it in epoch ${onLedger.epoch}`;
  if (payer === null || !sponsors.includes(payer)) {
    const paid = payer === null ? 'the node does not show by whom' : `by ${payer}`;
    return conclude(
      'not_sponsored',
      `${executed}, but its gas was not paid by a sponsor of this gas station: ${paid}.`,
      'Nothing needs to be done here: ask whoever paid for it.',
    );
  }
  if (sender === payer) {
    return conclude(
      'maintenance',
      `${executed} for ${onLedger.gas_charged}. It is the sponsor’s own: it splits, consolidates or moves coins.`,
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
    : '; its reservation is no longer kept';
  const coins = isSettled
    ? ''
    : ' It is not settled yet: its coins return to the pool once an executor has seen this.';
  const paid = `${executed}; the sponsor ${sponsor} paid ${charged}${who}.${coins}`;
  const unsettled =
    'If it is not settled within a minute, check that executors run and the queue moves.';
  if (status === 'success') {
    return conclude('succeeded', paid, ...(isSettled ? [] : [unsettled]));
  }
  const failed = `It failed: ${error ?? 'the ledger does not say why'}. The gas is charged all the same.`;
  const correct = 'The application must correct what the transaction does.';
  return conclude('failed', `${paid} ${failed}`, isSettled ? correct : `${correct} ${unsettled}`);
}
