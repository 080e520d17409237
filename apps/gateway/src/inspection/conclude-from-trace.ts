import { describeRefusal, type ReservationTrace, type TracedRefusal } from '@forecourt/contracts';
import { concludeInFlight } from './conclude-in-flight.js';
import { conclude, type Conclusion, timeOf, type TransactionFacts } from './transaction-facts.js';

const SIGN_AGAIN =
  'The application must correct the transaction, have it signed, and send it again.';

/** What follows from the reservation if the ledger has not executed the transaction, or no node answers; null: there is none. */
export function concludeFromTrace(facts: TransactionFacts): Conclusion | null {
  const { trace, asked } = facts;
  if (trace === null) return null;
  const { refusal, digest } = trace;
  if (asked !== null && digest !== asked && refusal?.digest !== asked) return replaced(trace);
  switch (trace.state) {
    case 'claimed':
    case 'executing':
    case 'quarantined':
      return concludeInFlight(facts, trace);
    case 'executed':
      return executed(facts, trace);
    case 'expired':
    case 'released':
    case 'reserved':
      return refusal === null ? unused(trace) : refused(trace, refusal);
  }
}

function replaced({ reservationId, digest, caller }: ReservationTrace): Conclusion {
  const since = digest === null ? '' : ` The reservation has since been used for ${digest}.`;
  return conclude(
    'replaced',
    `It was claimed by ${caller} with reservation ${reservationId}, but not executed.${since}`,
    `Explain reservation ${reservationId}, or the other transaction.`,
  );
}

function executed({ onLedger }: TransactionFacts, trace: ReservationTrace): Conclusion {
  const settled = `It was executed for ${trace.caller} with reservation ${trace.reservationId}, and is settled.`;
  if (onLedger === 'unreachable') {
    return conclude(
      'executed',
      `${settled} Only the ledger knows whether it succeeded, and no node answers.`,
      'Ask again when the node answers.',
    );
  }
  return conclude(
    'executed',
    `${settled} The node that serves reads does not show it: it lags behind, or has pruned it.`,
    'If it is recent, ask again in a moment; otherwise ask a node that keeps older transactions.',
  );
}

function unused({ state, caller, deadlineMs }: ReservationTrace): Conclusion {
  const deadline = timeOf(deadlineMs);
  if (state === 'released') {
    return conclude('released', `${caller} released it before any transaction used it.`);
  }
  if (state === 'expired') {
    return conclude(
      'expired',
      `No transaction of ${caller} used it before its deadline, ${deadline}; the coins are back in the pool.`,
      'If this happens often, users sign too late: let applications reserve for a longer time.',
    );
  }
  return conclude(
    'reserved',
    `${caller} has reserved it until ${deadline}, and has not used it yet.`,
  );
}

function refused(
  { state, caller, deadlineMs }: ReservationTrace,
  refusal: TracedRefusal,
): Conclusion {
  const now =
    state === 'reserved'
      ? `The reservation can be used for another transaction until ${timeOf(deadlineMs)}.`
      : 'The reservation is over, and the coins are back in the pool.';
  const cost =
    refusal.movedOnBy === null
      ? 'It has cost nothing.'
      : `Its only cost is the sponsor’s own transaction ${refusal.movedOnBy}, which freed its coins.`;
  return conclude(
    'refused',
    `The transaction of ${caller} was refused and will never be executed: ${describeRefusal(refusal)}. ${cost} ${now}`,
    SIGN_AGAIN,
  );
}
