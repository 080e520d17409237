import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError, type ReservationTrace } from '@forecourt/contracts';
import type { ExplainedJob, ExplainedReservation, Explanation } from '@forecourt/contracts/http';
import { ClaimJobs } from '@forecourt/runtime/queue';
import type { Job } from 'bullmq';
import { AccessPolicy } from '../access/access-policy.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { orStoreUnreachable } from '../redis-outage.js';
import { SILENT } from './conclude-from-trace.js';
import { concludeTransaction } from './conclude-transaction.js';
import { type LoggedDecision, LoggedDecisions } from './logged-decisions.js';
import { LedgerLookup } from './ledger-lookup.js';
import type { TransactionFacts } from './transaction-facts.js';

/** The parts of a job that an explanation shows. */
export type QueuedJob = Pick<
  Job,
  'getState' | 'id' | 'attemptsMade' | 'timestamp' | 'failedReason'
>;

interface JobFinder {
  find(claim: Parameters<ClaimJobs['find']>[0]): Promise<QueuedJob | undefined>;
}

/** The subject of an explanation: a transaction by its digest in base58, or a reservation. */
export type Subject = { readonly digest: string } | { readonly reservationId: number };

/** Gathers every record of a transaction, and concludes its state. */
@Injectable()
export class ExplanationsService {
  constructor(
    private readonly coinPool: CoinPoolClient,
    @Inject(ClaimJobs) private readonly jobs: JobFinder,
    private readonly decisions: LoggedDecisions,
    private readonly ledger: LedgerLookup,
    private readonly policy: AccessPolicy,
  ) {}

  /**
   * Throws TRANSACTION_UNKNOWN if there is no record, LEDGER_UNREACHABLE or LEDGER_ANSWER_INVALID if only the
   * ledger could have one and does not tell, STORE_UNREACHABLE, and the errors of
   * `CoinPoolClient.explainTransaction`.
   */
  async explain(subject: Subject): Promise<Explanation> {
    const query = 'digest' in subject ? subject.digest : null;
    const { trace, sponsors } = await this.coinPool.explainTransaction(subject);
    const decisions = await this.decisions.find({
      digest: query ?? trace?.digest ?? null,
      reservationId: 'digest' in subject ? null : subject.reservationId,
    });
    const digest = query ?? digestOf(trace, decisions ?? []);
    const onLedger = digest === null ? null : await this.ledger.find(digest);
    const job = trace && (await this.findJob(trace));
    const epoch = trace?.state === 'quarantined' ? await this.ledger.epoch() : null;
    const facts = { query, digest, trace, decisions, onLedger, job, epoch, sponsors };
    const conclusion = concludeTransaction(facts);
    if (conclusion === null) throw noRecord(subject, onLedger);
    return {
      ...conclusion,
      digest,
      reservation: trace && describeReservation(trace, await this.describeUsage(trace)),
      job,
      ledger: onLedger,
      decisions,
    };
  }

  private async describeUsage({
    sponsor,
    usage,
  }: ReservationTrace): Promise<ExplainedReservation['usage']> {
    if (usage.length === 0) return [];
    const counters = usage.map(({ counter }) => counter);
    // A drained sponsor shows no counters.
    const read = await this.coinPool.readUsages({ sponsor, counters }).catch(() => null);
    const ends = new Map(read?.usages.map(({ counter, endsInMs }) => [counter, endsInMs]));
    const now = Date.now();
    return usage.map((one) => {
      const endsInMs = ends.get(one.counter) ?? 0;
      const limit = this.policy.describeCounter(one.counter);
      return { ...one, limit, resets_at: endsInMs > 0 ? now + endsInMs : null };
    });
  }

  /** The job that the claim is in; null: the queue has none, or has removed it because it is finished. */
  private async findJob(trace: ReservationTrace): Promise<ExplainedJob | null> {
    const { digest, reservationId, fence } = trace;
    if (digest === null || fence === 0) return null;
    const job = await orStoreUnreachable(this.jobs.find({ reservationId, digest, fence }));
    return job === undefined ? null : orStoreUnreachable(describeJob(job));
  }
}

async function describeJob(job: QueuedJob): Promise<ExplainedJob> {
  return {
    id: job.id!,
    state: await job.getState(),
    attempts: job.attemptsMade,
    enqueued_at: job.timestamp,
    last_error: job.failedReason || null,
  };
}

/** The transaction that a reservation is, or was last, used for. */
function digestOf(
  trace: ReservationTrace | null,
  decisions: readonly LoggedDecision[],
): string | null {
  const logged = decisions.findLast(({ digest }) => digest !== undefined)?.digest;
  return trace?.digest ?? trace?.refusal?.digest ?? logged ?? null;
}

function describeReservation(
  trace: ReservationTrace,
  usage: ExplainedReservation['usage'],
): ExplainedReservation {
  const { refusal, keptForMs, deadlineMs, durationSecs } = trace;
  return {
    reservation_id: trace.reservationId,
    sponsor_address: trace.sponsor,
    caller: trace.caller,
    state: trace.state,
    gas_budget: trace.gasBudget,
    reserve_duration_secs: durationSecs,
    reserved_at: deadlineMs - durationSecs * 1_000,
    expires_at: deadlineMs,
    gas_coins: trace.coins,
    digest: trace.digest,
    claims: trace.fence,
    begun_at: trace.begunMs,
    executor: trace.executor,
    rule: trace.rule,
    waiters: trace.waiters,
    usage,
    refusal: refusal && {
      digest: refusal.digest,
      message: refusal.message,
      quarantine_ends_after_epoch: refusal.epoch,
      moved_on_by: refusal.movedOnBy,
    },
    kept_for_secs: keptForMs === null ? null : Math.ceil(keptForMs / 1_000),
  };
}

function noRecord(subject: Subject, onLedger: TransactionFacts['onLedger']): ForecourtError {
  if (typeof onLedger === 'string') return new ForecourtError(SILENT[onLedger]);
  if ('reservationId' in subject) {
    const named = `reservation ${subject.reservationId}: it never existed here, or its record has been deleted`;
    return new ForecourtError('TRANSACTION_UNKNOWN', named);
  }
  const named = `transaction ${subject.digest}: the ledger has not executed it, and this gas station has no trace of it; a transaction that is refused before its coins are claimed leaves only the line "request refused" in a gateway's log`;
  return new ForecourtError('TRANSACTION_UNKNOWN', named);
}
