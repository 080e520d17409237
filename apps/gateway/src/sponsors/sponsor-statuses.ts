import { Injectable } from '@nestjs/common';
import type { ListedSponsor, SponsorsResponse, SponsorStatus } from '@forecourt/contracts';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';

/** The answer of all routes about sponsors. */
@Injectable()
export class SponsorStatuses {
  constructor(private readonly coinPool: CoinPoolClient) {}

  /** Throws what `CoinPoolClient.listSponsors` throws. */
  async read(): Promise<SponsorsResponse> {
    const { sponsors } = await this.coinPool.listSponsors();
    return { result: { sponsors: sponsors.map(toStatus) } };
  }
}

function toStatus({
  sponsor,
  state,
  coins,
  balance,
  drain,
  withdrawal,
}: ListedSponsor): SponsorStatus {
  return {
    sponsor_address: sponsor,
    state,
    coins,
    balance,
    drain,
    withdrawal: withdrawal && {
      to_address: withdrawal.to,
      reason: withdrawal.reason,
      by: withdrawal.by,
      since: withdrawal.since,
      coins: withdrawal.coins,
      arrived: withdrawal.arrived,
      digest: withdrawal.digest,
      ended: withdrawal.ended,
    },
  };
}
