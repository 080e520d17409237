import { Inject, Injectable } from '@nestjs/common';
import {
  type CoinStoreRedis,
  mayLeaveDust,
  type PlacementRules,
  placementRules,
  reserveGas,
  type ReserveRequest,
} from '@forecourt/coin-store';
import { ForecourtError, type ReservedGas, type ReserveGasMessage } from '@forecourt/contracts';
import { KeyedBatcher } from '@forecourt/runtime/async';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import { startStopwatch } from '@forecourt/runtime/metrics';
import { REDIS } from '@forecourt/runtime/service';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { PoolMetrics, type ReservationOutcome } from '../metrics/pool-metrics.js';
import { PoolState } from '../pool/pool-state.js';
import { RestartGuard } from '../pool/restart-guard.js';
import { SponsorDirectory } from '../pool/sponsor-directory.js';

/** Most requests in one script call, which bounds how long a call keeps Redis busy. */
const MAX_BATCH = 64;

type Reserved = Awaited<ReturnType<typeof reserveGas>>[number];

/** Reserves gas. Concurrent requests of a process share one script call. */
@Injectable()
export class ReservingService {
  readonly #rules: PlacementRules;
  readonly #requests = new KeyedBatcher<ReserveRequest, Reserved>((sponsor, requests) => {
    this.guard.assertSameConnection();
    return reserveGas(this.redis, sponsor, requests, this.settings.historyBacklog);
  }, MAX_BATCH);

  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(COIN_POOL_CONFIG) private readonly settings: CoinPoolConfig,
    private readonly sponsors: SponsorDirectory,
    private readonly state: PoolState,
    private readonly guard: RestartGuard,
    private readonly metrics: PoolMetrics,
  ) {
    this.#rules = placementRules(settings.targetBalance);
  }

  /**
   * Throws INVALID_REQUEST, NO_COINS, POOL_REFUSED, RESERVATION_LIMIT, SIGNER_UNREACHABLE, SPONSOR_DRAINED,
   * STORE_UNREACHABLE.
   */
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
}

function outcomeOf(error: unknown): ReservationOutcome {
  if (!(error instanceof ForecourtError)) return 'failed';
  return error.code === 'NO_COINS' ? 'no_coins' : 'refused';
}
