import { ProcessorShares } from '@forecourt/admission';
import { ForecourtError } from '@forecourt/contracts';
import type { Ledger } from '@forecourt/ledger';
import { CONFIGURED_CALLER, type Caller } from '@forecourt/policy/tokens';
import { SUBJECT } from '../access/access-subject.test-support.js';
import type { Simulations } from './simulations.js';
import { TransactionDecisions } from './transaction-decisions.js';
import type { ForecastChecks } from './forecast-checks.js';

type Parts = ConstructorParameters<typeof TransactionDecisions>;

/** The parts that a decision asks; stand-ins agree to everything else. */
interface Asked {
  readonly policy: Pick<Parts[1], 'rulesOf'>;
  readonly audit?: Pick<Parts[6], 'requireWritable' | 'write'>;
  readonly hooks?: Pick<Parts[7], 'ask' | 'wouldCall'>;
  readonly ledger?: Partial<Ledger>;
  readonly forecast?: Simulations['forecast'];
  /** The clock of shares of the processor. */
  readonly now?: () => number;
  readonly forecasts?: Pick<ForecastChecks, 'check' | 'forget' | 'remember'>;
  /** Tokens whose forecasts are not trusted. */
  readonly mistrusted?: readonly string[];
}

export const quarantineLimit = { most: 3, windowMs: 60_000 };

/**
 * Prepares decisions, and previews them, each about a transaction of so many bytes that this caller presents.
 */
export function preparing(asked: Asked) {
  const { policy, audit, hooks, ledger = {}, forecast, forecasts, mistrusted = [], now } = asked;
  const requireForecasts = (token: string) => {
    if (mistrusted.includes(token)) throw new ForecourtError('PAUSED', 'missed');
  };
  const pauses = { requireRunning: () => undefined, requireForecasts } as unknown as Parts[2];
  const simulations = { forecast } as Simulations;
  const written = (audit ?? {
    requireWritable: () => undefined,
    write: () => undefined,
  }) as Parts[6];
  const decisions = new TransactionDecisions(
    ledger as Ledger,
    policy as Parts[1],
    pauses,
    simulations,
    new ProcessorShares(now),
    { maxGasPriceRatio: 5 } as Parts[5],
    written,
    hooks as Parts[7],
    { quarantineLimit: () => quarantineLimit } as unknown as Parts[8],
    {} as Parts[9],
    { releaseUnused: () => Promise.resolve() } as unknown as Parts[10],
    forecasts as ForecastChecks,
  );
  const preview = (of: Partial<Caller>) =>
    decisions.preview(
      { ...CONFIGURED_CALLER, ...of },
      { ...SUBJECT, sponsor: SUBJECT.transaction.gasOwner, durationSecs: 60, mayLeaveDust: false },
    );
  const prepare = (of: Partial<Caller> = {}, length = 3) => {
    const { reservation, transaction, referenceGasPrice, ...request } = SUBJECT;
    const refusal: { rule?: string } = {};
    const caller = { ...CONFIGURED_CALLER, ...of };
    const requestType = 'waitForEffectsCert' as const;
    const decision = decisions.prepare(
      { ...request, caller, requestId: 'r-1', refusal, requestType },
      { ...transaction, bytes: new Uint8Array(length) },
      {
        ...reservation,
        sponsor: transaction.gasOwner,
        reservationId: 64,
        mayLeaveDust: false,
        coins: [],
        state: 'reserved',
        digest: null,
        fence: 0,
        refusal: null,
      },
      { referenceGasPrice: referenceGasPrice!, epoch: 1n } as Parameters<
        typeof decisions.prepare
      >[3],
    );
    return { decision, refusal };
  };
  return Object.assign(prepare, { decisions, preview });
}
