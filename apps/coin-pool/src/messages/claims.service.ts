import { Inject, Injectable } from '@nestjs/common';
import {
  type Claim,
  claimReservations,
  type ClaimResult,
  type CoinStoreRedis,
  listQuarantines,
} from '@forecourt/coin-store';
import {
  BATCH_JOB_VERSION,
  type ClaimedReservation,
  type ClaimReservationMessage,
  type ExecuteTransactionJob,
  type FindReservationMessage,
  ForecourtError,
  JOB_VERSION,
  MAX_CLAIMS_PER_JOB,
  tokenOfCaller,
} from '@forecourt/contracts';
import { KeyedBatcher, within } from '@forecourt/runtime/async';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { ClaimJobs, Turns } from '@forecourt/runtime/queue';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { PoolMetrics } from '../metrics/pool-metrics.js';
import { InputLocks } from '../pool/input-locks.js';
import { PoolState } from '../pool/pool-opener.js';
import { RestartGuard } from '../pool/restart-guard.js';
import { SponsorDirectory } from '../pool/sponsor-directory.js';
import { PoolReservationsService } from './pool-reservations.service.js';

/** Longest age of the figures of other pools: quarantines count long after their transactions were claimed. */
const QUARANTINES_AGE_MS = 1_000;

/** Quarantines of callers in all pools, so that the limit on them is one for the fleet. */
@Injectable()
export class OtherPoolQuarantines {
  #byPool: ReadonlyMap<string, ReadonlyMap<string, readonly number[]>> = new Map();
  #readAt = -Infinity;
  #reading: Promise<void> | null = null;

  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    private readonly state: PoolState,
  ) {}

  /** How long ago those of a caller began that are in other pools than this, in ms. Throws what Redis throws. */
  async ages(caller: string, sponsor: string): Promise<number[]> {
    if (this.state.sponsors.size < 2) return [];
    if (performance.now() - this.#readAt > QUARANTINES_AGE_MS) {
      this.#reading ??= this.read().finally(() => {
        this.#reading = null;
      });
      await this.#reading;
    }
    return [...this.#byPool].flatMap(([pool, quarantines]) =>
      pool === sponsor ? [] : (quarantines.get(caller) ?? []),
    );
  }

  private async read(): Promise<void> {
    const readAt = performance.now();
    const read = async (pool: string) => [pool, await listQuarantines(this.redis, pool)] as const;
    this.#byPool = new Map(await Promise.all([...this.state.sponsors].map(read)));
    this.#readAt = readAt;
  }
}

const ENQUEUE_WITHIN_MS = 3_000;
const RETRY_AFTER_SECS = 2;

/** Shortest time between two jobs with several claims of one token, which collects claims while there are many. */
const GATHER_MS = 5;

/** The transaction of a job, with the request and the trace that it belongs to. */
type JobSubject = Pick<
  FindReservationMessage,
  'caller' | 'digest' | 'requestId' | 'reservationId' | 'traceparent'
>;

interface JobTerms extends Pick<ExecuteTransactionJob, 'fence' | 'sponsor'> {
  readonly turn: number;
}

type Enqueued = Pick<ExecuteTransactionJob, 'digest' | 'fence' | 'requestId' | 'reservationId'> &
  JobTerms;

/**
 * Hands claims to the executors, which take the jobs of all tokens in turn. Claims of one sponsor and one token that are
 * to be enqueued at the same time share a job; a lone claim has its own, without waiting for others.
 */
@Injectable()
export class ExecutionJobs {
  readonly #gathered = new KeyedBatcher<Enqueued, void>(
    (_sponsorAndToken, claims) => this.enqueueAll(claims),
    MAX_CLAIMS_PER_JOB,
    GATHER_MS,
  );

  constructor(
    @Inject(ClaimJobs)
    private readonly jobs: Pick<ClaimJobs, 'add' | 'addAgain' | 'addShared' | 'find'>,
    @Inject(Turns) private readonly turns: Pick<Turns, 'take'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'debug'>,
  ) {}

  /**
   * The turn of the caller's next job, which a caller takes while its claim is being made. Users of a token share its
   * turns: there may be as many users as the token's owner wants.
   */
  takeTurn(caller: string): Promise<number> {
    return this.turns.take(tokenOfCaller(caller));
  }

  /** Adds a new claim to a job. Throws OUTCOME_UNKNOWN if the queue does not answer. */
  async add(subject: JobSubject, terms: JobTerms): Promise<void> {
    const { caller, traceparent } = subject;
    const claim = claimOf(subject, terms);
    // A job belongs to one trace.
    const adding = isSampled(traceparent)
      ? this.jobs.add(...ownJob(claim, traceparent))
      : this.#gathered.add(`${terms.sponsor} ${tokenOfCaller(caller)}`, claim);
    await this.untilAdded(subject, adding);
  }

  /** Adds a job for a claim that has none; it has one, however often this is called. Throws OUTCOME_UNKNOWN. */
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
      const { sponsor } = first!;
      const claims = enqueued.map(({ sponsor: _sponsor, turn: _turn, ...claim }) => claim);
      // Each claim has taken a turn, so that the next job of the token has to wait for as many.
      const priority = Math.min(...enqueued.map(({ turn }) => turn));
      await this.jobs.addShared({ version: BATCH_JOB_VERSION, sponsor, claims }, { priority });
    }
    return enqueued.map(() => undefined);
  }
}

function claimOf({ digest, requestId, reservationId }: JobSubject, terms: JobTerms): Enqueued {
  return { ...terms, reservationId, digest, ...(requestId !== undefined && { requestId }) };
}

/** A job with this claim alone, and its options. */
function ownJob({ turn, ...claim }: Enqueued, traceparent?: string) {
  const telemetry = traceparent && { metadata: JSON.stringify({ traceparent }) };
  const options = { priority: turn, ...(telemetry && { telemetry }) };
  return [{ version: JOB_VERSION, ...claim }, options] as const;
}

/** Whether a trace is recorded, by the flags of its W3C `traceparent`. */
function isSampled(traceparent: string | undefined): boolean {
  return traceparent !== undefined && (Number.parseInt(traceparent.slice(-2), 16) & 1) === 1;
}

/** Most claims in one script call, which bounds how long a call keeps Redis busy. */
const MAX_BATCH = 16;

/** Binds reservations to transactions, and enqueues their jobs; concurrent claims of a process share one script call. */
@Injectable()
export class ClaimsService {
  readonly #claims = new KeyedBatcher<Claim, ClaimResult | Error>(async (sponsor, claims) => {
    this.guard.assertSameConnection();
    const { results, watermark, reached } = await claimReservations(this.redis, sponsor, claims);
    this.metrics.noteReached(sponsor, reached);
    if (watermark !== null) this.guard.remember(sponsor, watermark);
    return results;
  }, MAX_BATCH);

  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(COIN_POOL_CONFIG) private readonly settings: Pick<CoinPoolConfig, 'claimLeaseMs'>,
    @Inject(SponsorDirectory) private readonly sponsors: Pick<SponsorDirectory, 'sponsorOf'>,
    @Inject(PoolReservationsService)
    private readonly reservations: Pick<PoolReservationsService, 'find'>,
    private readonly guard: RestartGuard,
    private readonly inputLocks: InputLocks,
    private readonly quarantines: OtherPoolQuarantines,
    @Inject(PoolMetrics) private readonly metrics: Pick<PoolMetrics, 'noteReached'>,
    @Inject(ExecutionJobs)
    private readonly jobs: Pick<ExecutionJobs, 'add' | 'addAgain' | 'takeTurn'>,
  ) {}

  /**
   * Returns once the claim's job is in the queue. Throws RESERVATION_UNKNOWN, RESERVATION_EXPIRED, RESERVATION_USED,
   * INPUT_IN_FLIGHT, QUARANTINE_LIMIT, POOL_REFUSED, OUTCOME_UNKNOWN, STORE_UNREACHABLE.
   */
  async claim(message: ClaimReservationMessage): Promise<ClaimedReservation> {
    const id = String(message.reservationId);
    await this.guard.check();
    const sponsor = await this.sponsors.sponsorOf(message.reservationId);
    this.guard.assertSameConnection();
    if (sponsor === null) throw new ForecourtError('RESERVATION_UNKNOWN', id);
    passFailpoint('coin-pool:before-claim');
    const claim = {
      ...message,
      leaseMs: this.settings.claimLeaseMs,
      quarantinedElsewhere: await this.quarantines.ages(message.caller, sponsor),
    };
    const turn = this.jobs.takeTurn(message.caller);
    const claimed = await this.inputLocks.around({ ...claim, sponsor }, async (fence) => {
      passFailpoint('coin-pool:after-lock');
      const result = await this.#claims.add(sponsor, { ...claim, fence });
      if (result instanceof Error) throw result;
      return result;
    });
    switch (claimed.result) {
      case 'claimed': {
        passFailpoint('coin-pool:after-claim');
        const { fence } = claimed;
        await this.jobs.add(message, { sponsor, fence, turn: await turn });
        return { claimed: true, sponsor, fence };
      }
      case 'known': {
        const { found } = await this.reservations.find(message);
        if (!found) throw new ForecourtError('RESERVATION_UNKNOWN', id);
        return { claimed: false, found, usages: null };
      }
      case 'usage':
        return { claimed: false, found: null, usages: claimed.usages };
      case 'locked': {
        const [objectId, version] = claimed.input.split(':');
        const detail = `object ${objectId} at version ${version}, by ${claimed.digest}`;
        throw new ForecourtError('INPUT_IN_FLIGHT', detail);
      }
      case 'quarantines': {
        const retryAfterSecs = Math.ceil(claimed.endsInMs / 1_000);
        throw new ForecourtError('QUARANTINE_LIMIT', '', { retryAfterSecs });
      }
      case 'expired':
        throw new ForecourtError('RESERVATION_EXPIRED', id);
      case 'used':
        throw new ForecourtError('RESERVATION_USED', id);
      case 'unknown':
        throw new ForecourtError('RESERVATION_UNKNOWN', id);
    }
  }

  /** Adds the job of a claim again: the coin-pool that made the claim may have died before it did. Throws OUTCOME_UNKNOWN. */
  async enqueueAgain(message: FindReservationMessage): Promise<void> {
    const { found } = await this.reservations.find(message);
    if (found?.state !== 'claimed' || found.digest !== message.digest) return;
    const { sponsor, fence } = found;
    const turn = await this.jobs.takeTurn(message.caller);
    await this.jobs.addAgain(message, { sponsor, fence, turn });
  }
}
