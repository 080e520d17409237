import { Inject, Injectable } from '@nestjs/common';
import {
  BATCH_JOB_VERSION,
  type ExecuteTransactionJob,
  type FindReservationMessage,
  ForecourtError,
  JOB_VERSION,
  MAX_CLAIMS_PER_JOB,
  tokenOfCaller,
} from '@forecourt/contracts';
import { KeyedBatcher, within } from '@forecourt/runtime/async';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { ClaimJobs } from '@forecourt/runtime/queue';
import { type Logger, LOGGER } from '@forecourt/runtime/service';

const ENQUEUE_WITHIN_MS = 3_000;
const RETRY_AFTER_SECS = 2;

/**
 * Shortest time between two jobs with several claims of one token, which collects claims while there are
 * many.
 */
const GATHER_MS = 5;

/** The transaction of a job, with the request and the trace that it belongs to. */
type JobSubject = Pick<
  FindReservationMessage,
  'caller' | 'digest' | 'requestId' | 'reservationId' | 'traceparent'
>;

type JobTerms = Pick<ExecuteTransactionJob, 'fence' | 'sponsor'>;

/**
 * A claim and the token whose turn its job takes. Users of a token share its turns: there may be as many
 * users as the token's owner wants.
 */
type Enqueued = Pick<ExecuteTransactionJob, 'digest' | 'fence' | 'requestId' | 'reservationId'> &
  JobTerms & { readonly turnOf: string };

/**
 * Hands claims to the executors, which take the jobs of all tokens in turn. Claims of one sponsor and one
 * token that are to be enqueued at the same time share a job; a lone claim has its own, without waiting for
 * others.
 */
@Injectable()
export class ExecutionJobs {
  readonly #gathered = new KeyedBatcher<Enqueued, void>(
    (_sponsorAndToken, claims) => this.enqueueAll(claims),
    MAX_CLAIMS_PER_JOB,
    GATHER_MS,
  );

  constructor(
    private readonly jobs: ClaimJobs,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Adds a new claim to a job. Throws OUTCOME_UNKNOWN if the queue does not answer. */
  async add(subject: JobSubject, terms: JobTerms): Promise<void> {
    const { traceparent } = subject;
    const claim = claimOf(subject, terms);
    // A job belongs to one trace.
    const adding = isSampled(traceparent)
      ? this.jobs.add(...ownJob(claim, traceparent))
      : this.#gathered.add(`${terms.sponsor} ${claim.turnOf}`, claim);
    await this.untilAdded(subject, adding);
  }

  /**
   * Adds a job for a claim that has none; it has one, however often this is called. Throws OUTCOME_UNKNOWN.
   */
  async addAgain(subject: JobSubject, terms: JobTerms): Promise<void> {
    const claim = claimOf(subject, terms);
    const addUnlessQueued = async () => {
      if (await this.jobs.find(claim)) return;
      await this.jobs.addAgain(...ownJob(claim, subject.traceparent));
    };
    await this.untilAdded(subject, addUnlessQueued());
  }

  private async untilAdded(
    { digest, requestId, reservationId }: JobSubject,
    adding: Promise<void>,
  ): Promise<void> {
    try {
      await within(adding, ENQUEUE_WITHIN_MS, 'Enqueueing');
    } catch (cause) {
      const retryAfterSecs = RETRY_AFTER_SECS;
      throw new ForecourtError('OUTCOME_UNKNOWN', digest, { cause, retryAfterSecs });
    }
    passFailpoint('coin-pool:after-enqueue');
    this.logger.debug({ requestId, reservationId, digest }, 'execution enqueued');
  }

  private async enqueueAll(enqueued: readonly Enqueued[]): Promise<void[]> {
    const [first, ...others] = enqueued;
    if (others.length === 0) await this.jobs.add(...ownJob(first!));
    else {
      const { sponsor, turnOf } = first!;
      const claims = enqueued.map(({ sponsor: _sponsor, turnOf: _token, ...claim }) => claim);
      await this.jobs.addShared({ version: BATCH_JOB_VERSION, sponsor, claims }, { turnOf });
    }
    return enqueued.map(() => undefined);
  }
}

function claimOf(
  { caller, digest, requestId, reservationId }: JobSubject,
  terms: JobTerms,
): Enqueued {
  const claim = { ...terms, reservationId, digest, turnOf: tokenOfCaller(caller) };
  return requestId === undefined ? claim : { ...claim, requestId };
}

/** A job with this claim alone, and its options. */
function ownJob({ turnOf, ...claim }: Enqueued, traceparent?: string) {
  const telemetry = traceparent && { metadata: JSON.stringify({ traceparent }) };
  const options = { turnOf, ...(telemetry && { telemetry }) };
  return [{ version: JOB_VERSION, ...claim }, options] as const;
}

/** Whether a trace is recorded, by the flags of its W3C `traceparent`. */
function isSampled(traceparent: string | undefined): boolean {
  return traceparent !== undefined && (Number.parseInt(traceparent.slice(-2), 16) & 1) === 1;
}
