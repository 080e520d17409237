import { Injectable } from '@nestjs/common';
import { endedStatuses, nameOfUser, type Sponsorship, type Viewer } from '@forecourt/contracts';
import { ServiceState } from '@forecourt/runtime/service';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import { Outcomes } from '../sponsoring/outcomes.js';
import { SponsorshipsService } from './sponsorships.service.js';
import type { OutcomeWatch } from '../sponsoring/outcome-watch.js';

/**
 * The event of an outcome can be lost, and a reservation expires without one, so the state is also read, this
 * often.
 */
const READ_EVERY_MS = 2_000;

/** Waits for the end of transactions, with the events that wake the callers of execute. */
@Injectable()
export class OutcomeWaits {
  constructor(
    private readonly sponsorships: SponsorshipsService,
    private readonly coinPool: CoinPoolClient,
    private readonly outcomes: Outcomes,
    private readonly state: ServiceState,
  ) {}

  /**
   * The sponsorship of a transaction as soon as the transaction has ended: it was executed, or the ledger has
   * refused it and the reservation can be used again. After `waitMs`, or when the client has left, the
   * sponsorship as it is then. Null and errors: as `SponsorshipsService.find`.
   */
  async find(
    viewer: Viewer,
    digest: string,
    waitMs: number,
    client: AbortSignal,
  ): Promise<Sponsorship | null> {
    const endsAt = performance.now() + waitMs;
    const found = await this.sponsorships.find({ viewer, digest });
    if (found === null || hasEnded(found, digest)) return found;
    const watch = this.watch(found, digest);
    const leave = () => watch.wake();
    client.addEventListener('abort', leave);
    try {
      return await this.follow(watch, found, () =>
        client.aborted ? 0 : Math.min(endsAt, this.state.answerBy) - performance.now(),
      );
    } finally {
      client.removeEventListener('abort', leave);
      watch.close();
    }
  }

  private watch({ reservation_id: reservationId, token, user }: Sponsorship, digest: string) {
    const caller = user === null ? token : nameOfUser(token, user);
    const waiter = { gateway: this.outcomes.gateway, requestType: 'waitForEffectsCert' } as const;
    return this.outcomes.watch({ caller, reservationId, digest, waiter });
  }

  private async follow(
    watch: OutcomeWatch,
    found: Sponsorship,
    leftMs: () => number,
  ): Promise<Sponsorship> {
    const { reservationId, digest } = watch.lookup;
    // By its id, which the reservation keeps when the ledger refuses the transaction. What it finds is the
    // viewer's.
    const { token, user } = found;
    const ofViewer = { viewer: { token, user }, reservationId };
    let latest = found;
    while (leftMs() > 0) {
      // Names this gateway to the executors. An outcome before that shows in the state.
      await this.coinPool.findReservation(watch.lookup);
      latest = (await this.sponsorships.find(ofViewer)) ?? latest;
      if (hasEnded(latest, digest)) break;
      await watch.nextReply(Math.max(0, Math.min(leftMs(), READ_EVERY_MS)));
    }
    return latest;
  }
}

function hasEnded({ status, digest }: Sponsorship, wanted: string): boolean {
  return digest !== wanted || endedStatuses.some((one) => one === status) || status === 'reserved';
}
