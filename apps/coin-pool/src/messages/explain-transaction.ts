import { Inject, Injectable } from '@nestjs/common';
import {
  type CoinStoreRedis,
  findDigest,
  listSponsors,
  traceReservation,
} from '@forecourt/coin-store';
import type {
  ExplainTransactionMessage,
  ExplainTransactionReply,
  ReservationTrace,
} from '@forecourt/contracts';
import { REDIS } from '@forecourt/runtime/service';
import { SponsorDirectory } from '../pool/sponsor-directory.js';

/** Shows the pools' records of a transaction or a reservation. */
@Injectable()
export class ExplainTransaction {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    private readonly directory: SponsorDirectory,
  ) {}

  async run({
    digest,
    reservationId,
  }: ExplainTransactionMessage): Promise<ExplainTransactionReply> {
    const sponsors = [...(await listSponsors(this.redis)).values()];
    if (reservationId !== undefined) return { trace: await this.trace(reservationId), sponsors };
    for (const sponsor of sponsors) {
      const found = await findDigest(this.redis, sponsor, digest!);
      if (found !== null) {
        return { trace: await traceReservation(this.redis, sponsor, found), sponsors };
      }
    }
    return { trace: null, sponsors };
  }

  private async trace(reservationId: number): Promise<ReservationTrace | null> {
    const sponsor = await this.directory.sponsorOf(reservationId);
    return sponsor === null ? null : traceReservation(this.redis, sponsor, reservationId);
  }
}
