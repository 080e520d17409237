import { Inject, Injectable } from '@nestjs/common';
import {
  type CoinStoreRedis,
  mayLeaveDust,
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
import { SponsorChoice } from '../pool/sponsor-choice.js';

/** Most requests in one script call, which bounds how long a call keeps Redis busy. */
const MAX_BATCH = 64;

/** Reserves gas; concurrent requests of a process share one script call. */
@Injectable()
export class ReserveGas {
  private readonly requests = new KeyedBatcher<ReserveRequest, Reply>((sponsor, requests) => {
    this.guard.assertSameConnection();
    return reserveGas(this.redis, sponsor, requests);
  }, MAX_BATCH);

  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(COIN_POOL_CONFIG) private readonly settings: Pick<CoinPoolConfig, 'targetBalance'>,
    private readonly choice: SponsorChoice,
    private readonly state: PoolState,
    private readonly guard: RestartGuard,
    private readonly metrics: PoolMetrics,
  ) {}

  /** Throws INVALID_REQUEST, NO_COINS, POOL_REFUSED, RESERVATION_LIMIT, SPONSOR_DRAINED, STORE_UNREACHABLE. */
  async run(message: ReserveGasMessage): Promise<ReservedGas> {
    const { reservations, reservationSeconds } = this.metrics;
    const seconds = startStopwatch();
    try {
      const reserved = await this.reserve(message);
      reservations.add({ outcome: 'reserved' });
      return reserved;
    } catch (error) {
      reservations.add({ outcome: outcomeOf(error) });
      throw error;
    } finally {
      reservationSeconds.observe({}, seconds());
    }
  }

  private async reserve(message: ReserveGasMessage): Promise<ReservedGas> {
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
    const { sponsor, reserved } = await this.choice.withSponsor(message.sponsor, async (one) => ({
      sponsor: one,
      reserved: await this.requests.add(one, request),
    }));
    if (!reserved) throw new ForecourtError('NO_COINS');
    if ('usedUp' in reserved) {
      const retryAfterSecs = Math.max(1, Math.ceil(reserved.endsInMs / 1_000));
      throw new ForecourtError('RESERVATION_LIMIT', reserved.usedUp, { retryAfterSecs });
    }
    passFailpoint('coin-pool:after-reserve');
    const { reservationId, deadlineMs, coins } = reserved;
    const rules = placementRules(this.settings.targetBalance);
    return {
      reservationId,
      sponsor,
      deadlineMs,
      mayLeaveDust: mayLeaveDust(coins, message.gasBudget, rules),
      coins: coins.map(({ objectId, version, digest }) => ({ objectId, version, digest })),
    };
  }
}

function outcomeOf(error: unknown): ReservationOutcome {
  if (!(error instanceof ForecourtError)) return 'failed';
  return error.code === 'NO_COINS' ? 'no_coins' : 'refused';
}

type Reply = Awaited<ReturnType<typeof reserveGas>>[number];
