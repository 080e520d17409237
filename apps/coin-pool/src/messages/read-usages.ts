import { Inject, Injectable } from '@nestjs/common';
import { type CoinStoreRedis, readDrain, readUsages, SponsorDrained } from '@forecourt/coin-store';
import type { ReadUsagesMessage, ReadUsagesReply } from '@forecourt/contracts';
import { REDIS } from '@forecourt/runtime/service';
import { SponsorChoice } from '../pool/sponsor-choice.js';

/** Shows the counters of limits, and the sponsor that would pay. */
@Injectable()
export class ReadUsages {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    private readonly choice: SponsorChoice,
  ) {}

  /** Throws INVALID_REQUEST, POOL_REFUSED, SPONSOR_DRAINED. */
  run(message: ReadUsagesMessage): Promise<ReadUsagesReply> {
    return this.choice.withSponsor(message.sponsor, async (sponsor) => {
      const { drain } = await readDrain(this.redis, sponsor);
      if (drain !== null) throw new SponsorDrained(drain);
      return { sponsor, usages: await readUsages(this.redis, sponsor, message.counters) };
    });
  }
}
