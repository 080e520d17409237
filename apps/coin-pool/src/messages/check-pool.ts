import { Inject, Injectable } from '@nestjs/common';
import {
  type CoinStoreRedis,
  releaseReservation,
  reserveGas,
  SponsorDrained,
} from '@forecourt/coin-store';
import { ForecourtError } from '@forecourt/contracts';
import type { Ledger, Signer } from '@forecourt/ledger';
import { LEDGER } from '@forecourt/runtime/ledger';
import { REDIS } from '@forecourt/runtime/service';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { PoolState } from '../pool/pool-state.js';
import { RestartGuard } from '../pool/restart-guard.js';
import { SponsorChoice, toForecourtError } from '../pool/sponsor-choice.js';

/** A reserved caller name: no client can use or see the reservation of a check. */
const CALLER = 'health-check';
const RESERVED_MS = 5_000;

/**
 * The deep health check: reserves, signs a message that cannot be submitted, reads from the ledger, and releases
 * the coin. Concurrent checks are merged into one, so that many cannot use up the pool. Drained sponsors are left
 * out.
 */
@Injectable()
export class CheckPool {
  private running: Promise<void> | null = null;

  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    private readonly choice: SponsorChoice,
    @Inject(LEDGER) private readonly ledger: Pick<Ledger, 'status'>,
    @Inject(COIN_POOL_CONFIG) private readonly settings: Pick<CoinPoolConfig, 'retentionMs'>,
    private readonly state: PoolState,
    private readonly guard: RestartGuard,
  ) {}

  /** Throws NO_COINS, POOL_REFUSED, SPONSOR_DRAINED where all are, STORE_UNREACHABLE, `LedgerUnreachable`. */
  run(): Promise<void> {
    this.running ??= this.check().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async check(): Promise<void> {
    if (!this.state.opened) throw new ForecourtError('POOL_REFUSED', 'not open yet');
    await this.guard.check();
    const drained: SponsorDrained[] = [];
    const { openSponsors } = this.choice;
    for (const signer of openSponsors) {
      try {
        await this.checkPoolOf(signer);
      } catch (error) {
        if (!(error instanceof SponsorDrained)) throw error;
        drained.push(error);
      }
    }
    if (drained.length === openSponsors.length && drained[0]) throw toForecourtError(drained[0]);
  }

  private async checkPoolOf(signer: Signer): Promise<void> {
    const request = { caller: CALLER, gasBudget: 1, durationMs: RESERVED_MS };
    this.guard.assertSameConnection();
    const [reserved] = await reserveGas(this.redis, signer.address, [request]);
    if (!reserved) throw new ForecourtError('NO_COINS');
    try {
      await signer.signPersonalMessage(Buffer.from(`healthy at ${reserved.deadlineMs}`));
      await this.ledger.status(0);
    } finally {
      await releaseReservation(this.redis, signer.address, {
        reservationId: reserved.reservationId,
        caller: CALLER,
        retentionMs: this.settings.retentionMs,
      });
    }
  }
}
