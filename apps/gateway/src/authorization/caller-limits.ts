import type { QuarantineLimit, ReservationLimits } from '@forecourt/contracts';
import type { Caller } from '@forecourt/policy/tokens';

/** What every caller may hold of the pool, unless its token says otherwise. */
export interface CallerLimits {
  readonly reservation: ReservationLimits;
  readonly quarantine: QuarantineLimit;
}

/** The variables that set the limits of everybody. */
export interface CallerLimitSettings {
  readonly reserveMaxPoolShare: number;
  readonly reserveMaxCoins: number;
  readonly reserveMaxBudget: number;
  readonly quarantineMax: number;
  readonly quarantineWindowSecs: number;
}

export function callerLimits(settings: CallerLimitSettings): CallerLimits {
  return {
    reservation: {
      coins: settings.reserveMaxCoins,
      budget: settings.reserveMaxBudget,
      coinsPerMinute: null,
      budgetPerMinute: null,
      poolShare: settings.reserveMaxPoolShare,
    },
    quarantine: {
      most: settings.quarantineMax,
      windowMs: settings.quarantineWindowSecs * 1_000,
    },
  };
}

/** The limits of one caller: its own, and those of everybody where it has none. */
export function limitsOf(caller: Caller, everybody: CallerLimits): CallerLimits {
  return {
    reservation: { ...everybody.reservation, ...caller.reservation },
    quarantine: caller.quarantine ?? everybody.quarantine,
  };
}
