import { Inject, Injectable } from '@nestjs/common';
import {
  type CoinState,
  type CoinStoreRedis,
  coinStates,
  type Drain,
  listSponsors,
  readDrain,
  readPoolTotals,
  type Withdrawal,
} from '@forecourt/coin-store';
import type {
  ListedSponsor,
  ListSponsorsReply,
  SponsorState,
  SponsorWithdrawal,
} from '@forecourt/contracts';
import { REDIS } from '@forecourt/runtime/service';
import { Signers } from '@forecourt/runtime/signers';
import { PoolState } from '../pool/pool-state.js';

const IN_FLIGHT: readonly CoinState[] = [
  'reserved',
  'claimed',
  'executing',
  'quarantined',
  'maintenance',
];

/** Shows every sponsor, and the progress of its drain and its withdrawal. */
@Injectable()
export class ListSponsors {
  constructor(
    @Inject(REDIS) private readonly redis: CoinStoreRedis,
    private readonly signers: Signers,
    private readonly state: PoolState,
  ) {}

  async run(): Promise<ListSponsorsReply> {
    const configured = this.signers.configured.map(({ address }) => address);
    const registered = (await listSponsors(this.redis)).values();
    const all = [...new Set([...configured, ...registered])];
    const sponsors = await Promise.all(all.map((sponsor) => this.describe(sponsor)));
    return { sponsors, network: this.state.chain };
  }

  private async describe(sponsor: string): Promise<ListedSponsor> {
    const { coins, balance } = await readPoolTotals(this.redis, sponsor);
    const { drain, withdrawal } = await readDrain(this.redis, sponsor);
    const counts = coinStates.map((state): [CoinState, number] => [state, Number(coins[state])]);
    return {
      sponsor,
      state: this.stateOf(
        sponsor,
        drain,
        IN_FLIGHT.some((state) => coins[state] > 0n),
      ),
      coins: Object.fromEntries(counts) as Record<CoinState, number>,
      balance: String(coinStates.reduce((sum, state) => sum + balance[state], 0n)),
      drain,
      withdrawal: withdrawal && toMessage(withdrawal),
    };
  }

  private stateOf(sponsor: string, drain: Drain | null, isInFlight: boolean): SponsorState {
    if (!this.signers.isConfigured(sponsor)) return 'no-key';
    if (drain !== null) return isInFlight ? 'draining' : 'drained';
    return this.state.sponsors.has(sponsor) ? 'serving' : 'opening';
  }
}

function toMessage({ balance, gas, ...withdrawal }: Withdrawal): SponsorWithdrawal {
  return { ...withdrawal, arrived: String(balance - gas) };
}
