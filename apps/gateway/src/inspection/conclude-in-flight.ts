import type { ExplainedJob, ReservationTrace } from '@forecourt/contracts';
import { conclude, type Conclusion, timeOf, type TransactionFacts } from './transaction-facts.js';

/** What the state of a transaction with an unknown outcome means. */
export function concludeInFlight(facts: TransactionFacts, trace: ReservationTrace): Conclusion {
  const { job, onLedger } = facts;
  const unreachable = onLedger === 'unreachable' ? ' No ledger node answers now.' : '';
  const queued = describeJob(job);
  const { caller, reservationId } = trace;
  const whose = `of ${caller} with reservation ${reservationId}`;
  switch (trace.state) {
    case 'claimed':
      return conclude(
        'claimed',
        `The transaction ${whose} is accepted and waits for an executor.${queued}${unreachable}`,
        job === null
          ? releasedAt(trace)
          : 'If it waits long, check that executors run, and start more.',
      );
    case 'executing':
      return conclude(
        'executing',
        `The transaction ${whose} was first taken up at ${timeOf(trace.begunMs ?? 0)}, and last by ${trace.executor}; its outcome is not known yet.${queued}${unreachable}`,
        job === null
          ? 'The leader of the pool enqueues it again within seconds; if it does not, check that a coin-pool leads.'
          : 'If this lasts for more than a minute, look at the node, and in the logs of the executors for this digest.',
      );
    default:
      return quarantined(facts, trace, `${queued}${unreachable}`);
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
    `The transaction ${whose} was not executed, but validators may hold its coins for it: ${refusal?.message ?? 'no reason is known'}.${ends}${moving}${more}`,
    'Nothing needs to be done: the quarantine ends by itself, and the caller receives the refusal as soon as the transaction can never be executed. If a caller has many, its users send conflicting transactions.',
  );
}

function releasedAt({ leaseEndsMs }: ReservationTrace): string {
  const when = leaseEndsMs === null ? 'soon' : `after ${timeOf(leaseEndsMs)}`;
  return `Its gateway has not enqueued it, or died before it could. The leader of the pool releases the claim ${when}, unless the caller repeats the call.`;
}

function describeJob(job: ExplainedJob | null): string {
  if (job === null) return ' The queue has no job for it.';
  const attempts = job.attempts === 0 ? '' : `, after ${job.attempts} attempts`;
  const error = job.last_error === null ? '' : `; the last one ended with: ${job.last_error}`;
  return ` Its job is ${job.state}${attempts}${error}.`;
}
