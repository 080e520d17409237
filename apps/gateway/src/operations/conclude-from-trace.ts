import {
  describeRefusal,
  errorTable,
  type ReservationTrace,
  type TracedRefusal,
} from '@forecourt/contracts';
import type { ExplainedJob } from '@forecourt/contracts/http';
import { conclude, type Conclusion, timeOf, type TransactionFacts } from './transaction-facts.js';

/** The error of a ledger that does not tell. */
export const SILENT = {
  unreachable: 'LEDGER_UNREACHABLE',
  invalid: 'LEDGER_ANSWER_INVALID',
} as const;

const SIGN_AGAIN =
  'The application must correct the transaction, have it signed, and send it again.';

/**
 * The conclusion from the reservation if the ledger has not executed the transaction, or does not tell; null:
 * there is no reservation.
 */
export function concludeFromTrace(facts: TransactionFacts): Conclusion | null {
  const { trace, query } = facts;
  if (trace === null) return null;
  const { refusal, digest } = trace;
  if (query !== null && digest !== query && refusal?.digest !== query) return replaced(trace);
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
  if (typeof onLedger === 'string') {
    const { cause, remedy } = errorTable[SILENT[onLedger]];
    const meaning = `${settled} Only the ledger can tell whether it succeeded. ${cause}`;
    return conclude('executed', meaning, remedy);
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

/** The conclusion about a transaction whose outcome is unknown. */
function concludeInFlight(facts: TransactionFacts, trace: ReservationTrace): Conclusion {
  const { job, onLedger } = facts;
  const silent = typeof onLedger === 'string' ? ` ${errorTable[SILENT[onLedger]].cause}` : '';
  const queued = describeJob(job);
  const { caller, reservationId } = trace;
  const whose = `of ${caller} with reservation ${reservationId}`;
  switch (trace.state) {
    case 'claimed':
      return conclude(
        'claimed',
        `The transaction ${whose} is accepted and waits for an executor.${queued}${silent}`,
        job === null
          ? releasedAt(trace)
          : 'If it waits long, check that executors run, and start more.',
      );
    case 'executing':
      return conclude(
        'executing',
        `The transaction ${whose} was first taken up at ${timeOf(trace.begunMs ?? 0)}, and last by ${trace.executor}; its outcome is unknown so far.${queued}${silent}`,
        job === null
          ? 'The leader of the pool enqueues it again within seconds; if it does not, check that a coin-pool leads.'
          : 'If this lasts for more than a minute, look at the node, and in the logs of the executors for this digest.',
      );
    default:
      return quarantined(facts, trace, `${queued}${silent}`);
  }
}

function quarantined(
  { epoch }: TransactionFacts,
  { caller, reservationId, refusal }: ReservationTrace,
  more: string,
): Conclusion {
  const submitted = refusal?.epoch ?? null;
  const now = epoch === null ? '' : ` (the ledger is in epoch ${epoch} now)`;
  const ends =
    submitted === null ? '' : ` The quarantine can end once epoch ${submitted} is over${now}.`;
  const moving = refusal?.movedOnBy
    ? ` The sponsor’s own transaction ${refusal.movedOnBy} moves the coins on.`
    : '';
  const whose = `of ${caller} with reservation ${reservationId}`;
  if (refusal?.message === '') {
    return conclude(
      'quarantined',
      `No node reported the outcome of the transaction ${whose} before the epoch of its submission ended.${ends}${moving}${more}`,
      'Nothing needs to be done: it is not submitted any more, its coins are moved on, and the caller receives the outcome once they have moved.',
    );
  }
  return conclude(
    'quarantined',
    `The transaction ${whose} was not executed, but validators may hold its coins for it: ${refusal?.message ?? 'no reason is recorded'}.${ends}${moving}${more}`,
    'Nothing needs to be done: the quarantine ends by itself, and the caller receives the refusal as soon as the transaction can never be executed. If a caller has many, its users send conflicting transactions.',
  );
}

function releasedAt({ leaseEndsMs }: ReservationTrace): string {
  const when = leaseEndsMs === null ? 'soon' : `after ${timeOf(leaseEndsMs)}`;
  return `Its coin-pool has not enqueued it, or died before it could. The leader of the pool releases the claim ${when}, unless the caller repeats the call.`;
}

function describeJob(job: ExplainedJob | null): string {
  if (job === null) return ' The queue has no job for it.';
  const attempts = job.attempts === 0 ? '' : `, after ${job.attempts} attempts`;
  const error = job.last_error === null ? '' : `; the last one ended with: ${job.last_error}`;
  return ` Its job is ${job.state}${attempts}${error}.`;
}
