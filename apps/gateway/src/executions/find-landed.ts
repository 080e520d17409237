import { Inject, Injectable } from '@nestjs/common';
import type { ForecourtError } from '@forecourt/contracts';
import type { FinalTransaction } from '@forecourt/ledger';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { consumeOrRefuse } from '../access/rate-limits.js';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { LandedTransactions } from './landed-transactions.js';

const WINDOW_SECS = 60;

/**
 * Finds transactions on the ledger that have left no trace here. Look-ups in vain are bounded for each caller at this
 * gateway: anybody with a token can cause them, and each costs a node a read.
 */
@Injectable()
export class FindLanded {
  readonly #inVain: RateLimiterMemory;

  constructor(
    @Inject(LandedTransactions)
    private readonly landed: Pick<LandedTransactions, 'findTransaction'>,
    @Inject(GATEWAY_CONFIG) { maxRefusedExecutions }: Pick<GatewayConfig, 'maxRefusedExecutions'>,
  ) {
    this.#inVain = new RateLimiterMemory({ points: maxRefusedExecutions, duration: WINDOW_SECS });
  }

  /** The transaction as the ledger has executed it. Throws `refusal` where it has not, and REFUSED_TOO_OFTEN. */
  async run(caller: string, digest: string, refusal: ForecourtError): Promise<FinalTransaction> {
    // `RefusedExecutions` counts what the ledger refuses.
    const isCounted = refusal.code !== 'REFUSED_BY_LEDGER';
    if (isCounted) await consumeOrRefuse(this.#inVain, caller, 'REFUSED_TOO_OFTEN');
    const landed = await this.landed.findTransaction(digest);
    if (!landed) throw refusal;
    if (isCounted) await this.#inVain.reward(caller);
    return landed;
  }
}
