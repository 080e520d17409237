import { Inject, Injectable } from '@nestjs/common';
import { type CoinStoreRedis, readUsages } from '@forecourt/coin-store';
import type { ReadUsagesMessage, ReadUsagesReply } from '@forecourt/contracts';
import type { Signer } from '@forecourt/ledger';
import { REDIS } from '@forecourt/runtime/service';
import { chooseSponsor } from '../pool/choose-sponsor.js';
import { SIGNERS } from '../pool/signers.token.js';

/** Tells how counters of limits stand, and which sponsor would pay. */
@Injectable()
export class ReadUsages {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    @Inject(SIGNERS) private readonly signers: readonly Signer[],
  ) {}

  /** Throws POOL_REFUSED. */
  async run(message: ReadUsagesMessage): Promise<ReadUsagesReply> {
    const sponsor = chooseSponsor(this.signers, message.sponsor);
    return { sponsor, usages: await readUsages(this.redis, sponsor, message.counters) };
  }
}
