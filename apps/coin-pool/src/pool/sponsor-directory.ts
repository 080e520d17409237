import { Inject, Injectable } from '@nestjs/common';
import { SponsorDrained } from '@forecourt/coin-store';
import { ForecourtError } from '@forecourt/contracts';
import type { Signer } from '@forecourt/ledger';
import { Signers } from '@forecourt/runtime/signers';
import { COIN_POOL_CONFIG, type CoinPoolConfig } from '../coin-pool-config.js';
import { PoolState } from './pool-state.js';

/** For this long, a sponsor that was found drained is tried only after the others. */
const ASKED_LATER_MS = 500;
const RETRY_AFTER_SECS = 30;

/** Finds the sponsor that pays, and the addresses that may receive the funds of sponsors. */
@Injectable()
export class SponsorDirectory {
  readonly #drainedUntil = new Map<string, number>();

  constructor(
    private readonly signers: Signers,
    @Inject(COIN_POOL_CONFIG) private readonly settings: CoinPoolConfig,
    private readonly state: PoolState,
  ) {}

  /** Sponsors with a key and an open pool, in the order of the keys. */
  get openSponsors(): readonly Signer[] {
    return this.signers.configured.filter(({ address }) => this.state.sponsors.has(address));
  }

  /**
   * Calls `run` with the requested sponsor; without one, with the first that is not drained and whose key can
   * sign. Only a pool knows for certain whether its sponsor is drained: `run` then throws `SponsorDrained`.
   * Throws INVALID_REQUEST without such a sponsor, POOL_REFUSED while its pool is not open, SPONSOR_DRAINED,
   * SIGNER_UNREACHABLE, and the errors of `run`.
   */
  async withSponsor<T>(
    requested: string | undefined,
    run: (sponsor: string) => Promise<T>,
  ): Promise<T> {
    let refusal: ForecourtError | null = null;
    for (const sponsor of this.candidates(requested)) {
      const { outageMs = null } = this.signers.find(sponsor) ?? {};
      if (outageMs !== null) {
        const retryAfterSecs = Math.max(1, Math.ceil(outageMs / 1_000));
        refusal ??= new ForecourtError('SIGNER_UNREACHABLE', '', { retryAfterSecs });
        continue;
      }
      try {
        return await run(sponsor);
      } catch (error) {
        if (!(error instanceof SponsorDrained)) throw error;
        this.#drainedUntil.set(sponsor, performance.now() + ASKED_LATER_MS);
        refusal ??= toForecourtError(error);
      }
    }
    throw refusal ?? this.refusalOf(requested);
  }

  /**
   * A sponsor without a key stays unknown however often it is asked for; one with a key lacks only an open
   * pool.
   */
  private refusalOf(requested: string | undefined): ForecourtError {
    if (requested === undefined) return new ForecourtError('POOL_REFUSED', 'no sponsor configured');
    if (this.signers.isConfigured(requested)) {
      return new ForecourtError('POOL_REFUSED', `the pool of sponsor ${requested} is not open yet`);
    }
    const unknown = `sponsor_address ${requested} is not a sponsor of this gas station`;
    return new ForecourtError('INVALID_REQUEST', unknown);
  }

  private candidates(requested: string | undefined): readonly string[] {
    const open = this.openSponsors.map(({ address }) => address);
    if (requested !== undefined) return open.filter((address) => address === requested);
    const now = performance.now();
    const isDrained = (address: string) => (this.#drainedUntil.get(address) ?? 0) > now;
    return [...open.filter((one) => !isDrained(one)), ...open.filter(isDrained)];
  }

  /**
   * Whether funds may be sent to an address: the configuration names it, or it is a sponsor whose key is
   * configured.
   */
  mayReceive(address: string): boolean {
    return this.settings.withdrawAddresses.includes(address) || this.signers.isConfigured(address);
  }
}

/** Error text of a drained sponsor for callers. */
export function toForecourtError({ drain }: SponsorDrained): ForecourtError {
  const retryAfterSecs = RETRY_AFTER_SECS;
  return new ForecourtError('SPONSOR_DRAINED', drain.reason, { retryAfterSecs });
}
