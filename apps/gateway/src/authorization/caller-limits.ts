import { Inject, Injectable } from '@nestjs/common';
import type { QuarantineLimit, ReservationLimits } from '@forecourt/contracts';
import type { Caller } from '@forecourt/policy/tokens';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';

/** What a caller may hold of the pool: by its token, and by the configuration where that says nothing. */
@Injectable()
export class CallerLimits {
  constructor(@Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig) {}

  reservationLimits({ reservation }: Caller): ReservationLimits {
    return {
      coins: this.config.reserveMaxCoins,
      budget: this.config.reserveMaxBudget,
      coinsPerMinute: null,
      budgetPerMinute: null,
      poolShare: this.config.reserveMaxPoolShare,
      ...reservation,
    };
  }

  quarantineLimit({ quarantine }: Caller): QuarantineLimit {
    const { quarantineMax, quarantineWindowSecs } = this.config;
    return quarantine ?? { most: quarantineMax, windowMs: quarantineWindowSecs * 1_000 };
  }
}
