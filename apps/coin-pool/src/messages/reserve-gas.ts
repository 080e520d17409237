import { reserveGas as reserveInStore, type ReserveRequest } from '@forecourt/coin-store';
import { ForecourtError, type ReservedGas, type ReserveGasMessage } from '@forecourt/contracts';
import { startStopwatch } from '@forecourt/runtime/metrics';
import type { ReservationOutcome } from '../metrics/pool-metrics.js';
import { passFailpoint } from '@forecourt/runtime/failpoints';
import type { PoolParts } from '../pool/pool-parts.js';
import { Batcher } from './batcher.js';

/** Requests that share one script call at most: a burst waits for no more than this much of Redis's time. */
const LARGEST_BURST = 64;

/** Reserves gas; concurrent requests of a process share one script call. */
export class ReserveGas {
  private readonly bursts = new Map<string, Batcher<ReserveRequest, Reply>>();

  constructor(private readonly parts: PoolParts) {}

  /** Throws NO_COINS, POOL_REFUSED, INVALID_REQUEST. */
  async run(message: ReserveGasMessage): Promise<ReservedGas> {
    const { reservations, reservationSeconds } = this.parts.metrics;
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
    refuseMalformed(message);
    if (!this.parts.state.opened) throw new ForecourtError('POOL_REFUSED', 'it is not open yet');
    await this.parts.gate.pass();
    const sponsor = message.sponsor ?? this.parts.signers[0]?.address;
    if (!sponsor || !this.parts.signers.some(({ address }) => address === sponsor)) {
      throw new ForecourtError('POOL_REFUSED', `it has no sponsor ${sponsor ?? ''}`);
    }
    passFailpoint('coin-pool:before-reserve');
    const reserved = await this.burstOf(sponsor).add({
      caller: message.caller,
      gasBudget: message.gasBudget,
      durationMs: message.durationSecs * 1_000,
      ...(message.limits && { limits: message.limits }),
    });
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
      coins: coins.map(({ objectId, version, digest }) => ({ objectId, version, digest })),
    };
  }

  private burstOf(sponsor: string): Batcher<ReserveRequest, Reply> {
    const known = this.bursts.get(sponsor);
    if (known) return known;
    const run = (requests: readonly ReserveRequest[]) => {
      this.parts.gate.assertOpen();
      return reserveInStore(this.parts.redis, sponsor, requests);
    };
    const batcher = new Batcher(run, LARGEST_BURST);
    this.bursts.set(sponsor, batcher);
    return batcher;
  }
}

/** Refused before it joins a burst: a script that one request breaks off would take the others with it. */
function refuseMalformed(message: ReserveGasMessage): void {
  const { caller, gasBudget, durationSecs, limits } = message;
  const positive = (value: unknown) => Number.isSafeInteger(value) && Number(value) > 0;
  if (typeof caller !== 'string' || caller === '' || !positive(gasBudget)) {
    throw new ForecourtError('INVALID_REQUEST', 'a reservation needs a caller and a gas budget');
  }
  if (!positive(durationSecs) || !Number.isSafeInteger(durationSecs * 1_000)) {
    throw new ForecourtError('INVALID_REQUEST', 'a reservation needs a duration in whole seconds');
  }
  if (!Object.values(limits ?? {}).every((limit) => limit === null || positive(limit))) {
    throw new ForecourtError('INVALID_REQUEST', 'the limits of a caller must be whole numbers');
  }
}

function outcomeOf(error: unknown): ReservationOutcome {
  if (!(error instanceof ForecourtError)) return 'failed';
  return error.code === 'NO_COINS' ? 'no_coins' : 'refused';
}

type Reply = Awaited<ReturnType<typeof reserveInStore>>[number];
