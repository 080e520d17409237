import { Inject, Injectable } from '@nestjs/common';
import { ForecourtError, type FoundReservation, writeDecisionFacts } from '@forecourt/contracts';
import { type Ledger, type LedgerStatus } from '@forecourt/ledger';
import { type AccessSubject, HookCaller, mayAllowAbstractAccounts } from '@forecourt/policy/access';
import { LEDGER } from '@forecourt/runtime/ledger';
import { LRUCache } from 'lru-cache';
import { AccessAudit } from '../access/access-audit.js';
import { AccessPolicy } from '../access/access-policy.js';
import { CallerLimits } from '../access/caller-limits.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { Pauses } from '../access/pauses.js';
import { ReservationsService } from './reservations.service.js';
import { AccessFacts } from './access-facts.js';
import { ForecastChecks } from './forecast-checks.js';
import { type DecisionServices, TransactionDecision } from './transaction-decision.js';
import type { ExecuteRequest, SignedTransaction } from './transaction-reader.js';

/** Time after a used-up limit of a token for which the gateway reads its counters before it calls the ledger. */
const LIMITED_MS = 60_000;
const MAX_LIMITED = 10_000;

/** Prepares the decisions whether transactions are sponsored, and has the services with which they are made. */
@Injectable()
export class TransactionDecisions implements DecisionServices {
  readonly limited = new LRUCache<string, true>({
    max: MAX_LIMITED,
    ttl: LIMITED_MS,
    ttlResolution: 0,
  });

  constructor(
    @Inject(LEDGER) private readonly ledger: Ledger,
    private readonly policy: AccessPolicy,
    private readonly pauses: Pauses,
    private readonly facts: AccessFacts,
    @Inject(GATEWAY_CONFIG) readonly config: GatewayConfig,
    readonly audit: AccessAudit,
    readonly hooks: HookCaller,
    readonly limits: CallerLimits,
    readonly coinPool: CoinPoolClient,
    readonly reservations: ReservationsService,
    readonly forecasts: ForecastChecks,
  ) {}

  /**
   * Prepares the decision about a signed transaction, by the rules that are in force now. Throws PAUSED, STORE_UNREACHABLE, and
   * SIGNATURE_UNSUPPORTED for an abstract account that no rule can allow.
   */
  prepare(
    request: ExecuteRequest,
    transaction: SignedTransaction,
    reservation: FoundReservation,
    { referenceGasPrice }: LedgerStatus,
  ): TransactionDecision {
    const { caller } = request;
    const { sponsor } = reservation;
    this.pauses.requireRunning({ token: caller.token, sponsor });
    const rules = this.policy.rulesOf(caller);
    const subject = this.facts.of(request, transaction, reservation, referenceGasPrice, rules);
    const facts = writeDecisionFacts({ ...subject, ...subject.reservation });
    request.refusal.facts = facts;
    this.requireAllowedAccount(subject, mayAllowAbstractAccounts(rules.ruleSet));
    return new TransactionDecision(this, request, sponsor, subject, facts, rules);
  }

  requireAllowedAccount(
    { isOfAbstractAccount, userSig }: AccessSubject,
    allowedByRule: boolean,
  ): void {
    if (!isOfAbstractAccount || this.config.allowAbstractAccounts || allowedByRule) return;
    const reason = this.ledger.unsupportedSignature(userSig) ?? '';
    throw new ForecourtError('SIGNATURE_UNSUPPORTED', reason);
  }
}
