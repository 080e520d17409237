import { Inject, Injectable } from '@nestjs/common';
import {
  type CoinStoreRedis,
  findDigest,
  inspectPool,
  listSponsors,
  releaseReservation,
  reserveGas,
  SponsorDrained,
  traceReservation,
} from '@forecourt/coin-store';
import {
  type ExplainTransactionMessage,
  type ExplainTransactionReply,
  ForecourtError,
  type InspectedPool,
  type InspectPoolsMessage,
  type InspectPoolsReply,
} from '@forecourt/contracts';
import { type Ledger, type Signer, SigningFailed } from '@forecourt/ledger';
import { rememberAnswer } from '@forecourt/resilience';
import { LEDGER } from '@forecourt/runtime/ledger';
import { REDIS } from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { PoolState } from '../pool/pool-state.js';
import { RegisteredSponsors } from '../pool/registered-sponsors.js';
import { RestartGuard } from '../pool/restart-guard.js';
import { SponsorDirectory, toForecourtError } from '../pool/sponsor-directory.js';

/** A reserved caller name: no client can use or see the reservation of a check. */
export const CHECKER = 'health-check';
const RESERVED_MS = 5_000;

/** Shows operators the pools in Redis, and checks that they can sponsor. */
@Injectable()
export class InspectionsService {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly signers: Signers,
    @Inject(COIN_POOL_CONFIG) private readonly settings: CoinPoolConfig,
    private readonly state: PoolState,
    private readonly registered: RegisteredSponsors,
    private readonly sponsors: SponsorDirectory,
    private readonly guard: RestartGuard,
  ) {}

  /** Shows every pool in Redis, also those of sponsors whose key is no longer configured. */
  inspect({ listed }: InspectPoolsMessage): Promise<InspectPoolsReply> {
    return this.#inspectAll(listed);
  }

  /**
   * Concurrent requests for the same number share the answer. One pool after the other, so that other scripts
   * run in between.
   */
  readonly #inspectAll = rememberAnswer(async (listed: number): Promise<InspectPoolsReply> => {
    const pools: InspectedPool[] = [];
    for (const sponsor of (await listSponsors(this.redis)).values()) {
      const pool = await inspectPool(this.redis, sponsor, listed);
      pools.push({ ...pool, signer: this.signers.describe(sponsor) });
    }
    return { pools };
  });

  /**
   * Shows the pools' records of a transaction or a reservation. Throws POOL_REFUSED if Redis may have lost
   * them.
   */
  explain(message: ExplainTransactionMessage): Promise<ExplainTransactionReply> {
    return this.guard.readCertain(
      () => this.trace(message),
      ({ trace }) => trace !== null,
    );
  }

  private async trace(message: ExplainTransactionMessage): Promise<ExplainTransactionReply> {
    const { digest, reservationId } = message;
    const { redis } = this;
    const sponsors = [...(await listSponsors(redis)).values()];
    if (reservationId !== undefined) {
      const sponsor = await this.registered.sponsorOf(reservationId);
      const trace = sponsor && (await traceReservation(redis, sponsor, reservationId));
      return { trace: trace || null, sponsors };
    }
    for (const sponsor of sponsors) {
      const found = await findDigest(redis, sponsor, digest!);
      if (found !== null) {
        return { trace: await traceReservation(redis, sponsor, found), sponsors };
      }
    }
    return { trace: null, sponsors };
  }

  /**
   * The deep health check: reserves, signs a transaction that no ledger executes, reads from the ledger, and
   * releases the coin. Concurrent checks are merged into one, so that many cannot use up the pool. Drained
   * sponsors are left out. Throws NO_COINS, POOL_REFUSED, SIGNER_UNREACHABLE, SPONSOR_DRAINED where all are,
   * STORE_UNREACHABLE, `LedgerUnreachable`.
   */
  readonly check = rememberAnswer(() => this.checkAll());

  private async checkAll(): Promise<void> {
    if (!this.state.opened) throw new ForecourtError('POOL_REFUSED', 'not open yet');
    await this.guard.check();
    const drained: SponsorDrained[] = [];
    const { openSponsors } = this.sponsors;
    for (const signer of openSponsors) {
      try {
        await this.checkPoolOf(signer);
      } catch (error) {
        if (error instanceof SigningFailed) throw new ForecourtError('SIGNER_UNREACHABLE');
        if (!(error instanceof SponsorDrained)) throw error;
        drained.push(error);
      }
    }
    if (drained.length === openSponsors.length && drained[0]) throw toForecourtError(drained[0]);
  }

  private async checkPoolOf(signer: Signer): Promise<void> {
    const { redis } = this;
    const request = { caller: CHECKER, gasBudget: 1, durationMs: RESERVED_MS };
    this.guard.assertSameConnection();
    const [reserved] = await reserveGas(redis, signer.address, [request]);
    if (!reserved) throw new ForecourtError('NO_COINS');
    const { reservationId } = reserved;
    try {
      await signer.check();
      await this.ledger.status(0);
    } finally {
      const { retentionMs } = this.settings;
      const release = { reservationId, caller: CHECKER, retentionMs };
      await releaseReservation(redis, signer.address, release);
    }
  }
}
