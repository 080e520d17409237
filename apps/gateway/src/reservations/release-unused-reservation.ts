import { Inject, Injectable } from '@nestjs/common';
import type { ReleaseReservationMessage } from '@forecourt/contracts';
import { type Logger, LOGGER } from '@forecourt/runtime/service';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';

/** Releases a reservation that cannot be used, while its caller is told why. */
@Injectable()
export class ReleaseUnusedReservation {
  constructor(
    private readonly coinPool: CoinPoolClient,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** Never throws: what is not released expires at its deadline. */
  async run(message: ReleaseReservationMessage, requestId: string): Promise<void> {
    try {
      await this.coinPool.releaseReservation(message);
    } catch (cause) {
      const { reservationId } = message;
      this.logger.warn(
        { requestId, reservationId, cause: String(cause) },
        'unusable reservation not released: it expires at its deadline',
      );
    }
  }
}
