import { Inject, Injectable } from '@nestjs/common';
import {
  type CoinStoreRedis,
  findReservation,
  mayLeaveDust,
  type PlacementRules,
  placementRules,
  readDrain,
  readUsagesFor,
  releaseReservation,
  reserveGas,
  type ReserveRequest,
  SponsorDrained,
} from '@forecourt/coin-store';
import {
  type FindReservationMessage,
  type FindReservationReply,
  ForecourtError,
  type ReadUsagesMessage,
  type ReadUsagesReply,
  type ReleaseReservationMessage,
  type ReservedGas,
  type ReserveGasMessage,
} from '@forecourt/contracts';
import { KeyedBatcher } from '@forecourt/runtime/async';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { startStopwatch } from '@forecourt/runtime/metrics';
import { REDIS } from '@forecourt/runtime/service';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { PoolMetrics, type ReservationOutcome } from '../metrics/pool-metrics.js';
import { PoolState } from '../pool/pool-opener.js';
import { RestartGuard } from '../pool/restart-guard.js';
import { SponsorDirectory } from '../pool/sponsor-directory.js';

/** Most requests in one script call, which bounds how long a call keeps Redis busy. */
const MAX_BATCH = 64;

type Reserved = Awaited<ReturnType<typeof reserveGas>>[number];

/** Reserves gas, and shows and releases reservations. Concurrent requests of a process share one script call. */
@Injectable()
export class PoolReservationsService {
  readonly #rules: PlacementRules;
  readonly #requests = new KeyedBatcher<ReserveRequest, Reserved>((sponsor, requests) => {
    this.guard.assertSameConnection();
    return reserveGas(this.redis, sponsor, requests, this.settings.historyBacklog);
  }, MAX_BATCH);

  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(COIN_POOL_CONFIG)
    private readonly settings: Pick<
      CoinPoolConfig,
      'historyBacklog' | 'retentionMs' | 'targetBalance'
    >,
    private readonly sponsors: SponsorDirectory,
    private readonly state: PoolState,
    private readonly guard: RestartGuard,
    private readonly metrics: PoolMetrics,
  ) {
    this.#rules = placementRules(settings.targetBalance);
  }

  /** Throws INVALID_REQUEST, NO_COINS, POOL_REFUSED, RESERVATION_LIMIT, SIGNER_UNREACHABLE, SPONSOR_DRAINED, STORE_UNREACHABLE. */
  async reserve(message: ReserveGasMessage): Promise<ReservedGas> {
    const { reservations, reservationSeconds } = this.metrics;
    const seconds = startStopwatch();
    try {
      const reserved = await this.reserveUnmeasured(message);
      reservations.add({ outcome: 'reserved' });
      return reserved;
    } catch (error) {
      reservations.add({ outcome: outcomeOf(error) });
      throw error;
    } finally {
      reservationSeconds.observe({}, seconds());
    }
  }

  private async reserveUnmeasured(message: ReserveGasMessage): Promise<ReservedGas> {
    if (!this.state.opened) throw new ForecourtError('POOL_REFUSED', 'not open yet');
    await this.guard.check();
    passFailpoint('coin-pool:before-reserve');
    const { caller, gasBudget, durationSecs, limits, usersLimits } = message;
    const request = {
      caller,
      gasBudget,
      durationMs: durationSecs * 1_000,
      ...(limits && { limits }),
      ...(usersLimits && { usersLimits }),
    };
    const { sponsor, reserved } = await this.sponsors.withSponsor(message.sponsor, async (one) => ({
      sponsor: one,
      reserved: await this.#requests.add(one, request),
    }));
    if (!reserved) throw new ForecourtError('NO_COINS');
    if ('usedUp' in reserved) {
      const retryAfterSecs = Math.max(1, Math.ceil(reserved.endsInMs / 1_000));
      throw new ForecourtError('RESERVATION_LIMIT', reserved.usedUp, { retryAfterSecs });
    }
    passFailpoint('coin-pool:after-reserve');
    const { reservationId, deadlineMs, coins } = reserved;
    return {
      reservationId,
      sponsor,
      deadlineMs,
      mayLeaveDust: mayLeaveDust(coins, gasBudget, this.#rules),
      coins: coins.map(({ objectId, version, digest }) => ({ objectId, version, digest })),
    };
  }

  /**
   * Shows a caller the state of its reservation. Throws POOL_REFUSED while coins are suspended, unless the reservation is
   * bound to the transaction: Redis may have lost that.
   */
  find(message: FindReservationMessage): Promise<FindReservationReply> {
    return this.guard.readCertain(
      () => this.findStored(message),
      ({ found }) => found?.digest === message.digest,
    );
  }

  private async findStored(message: FindReservationMessage): Promise<FindReservationReply> {
    const sponsor = await this.sponsors.sponsorOf(message.reservationId);
    if (sponsor === null) return { found: null, everHeld: false };
    return findReservation(this.redis, sponsor, message, this.#rules);
  }

  /**
   * Makes the coins of an unused reservation available at once. Throws RESERVATION_UNKNOWN, and POOL_REFUSED while coins are
   * suspended: a transaction may have them.
   */
  async release(message: ReleaseReservationMessage): Promise<void> {
    await this.guard.check();
    const sponsor = await this.sponsors.sponsorOf(message.reservationId);
    this.guard.assertSameConnection();
    const release = { ...message, retentionMs: this.settings.retentionMs };
    if (sponsor === null || !(await releaseReservation(this.redis, sponsor, release))) {
      throw new ForecourtError('RESERVATION_UNKNOWN', String(message.reservationId));
    }
  }

  /**
   * Shows the counters of limits, and the sponsor that would pay. Throws INVALID_REQUEST, POOL_REFUSED,
   * SPONSOR_DRAINED.
   */
  readUsages(message: ReadUsagesMessage): Promise<ReadUsagesReply> {
    const { sponsor: asked, counters, usage = [] } = message;
    return this.sponsors.withSponsor(asked, async (sponsor) => {
      const { drain } = await readDrain(this.redis, sponsor);
      if (drain !== null) throw new SponsorDrained(drain);
      const query = { counters, usage };
      const { usages, reached } = await readUsagesFor(this.redis, sponsor, query);
      this.metrics.noteReached(sponsor, reached);
      return { sponsor, usages };
    });
  }
}

function outcomeOf(error: unknown): ReservationOutcome {
  if (!(error instanceof ForecourtError)) return 'failed';
  return error.code === 'NO_COINS' ? 'no_coins' : 'refused';
}
