import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import {
  type AssumedChanges,
  FORECAST_VERSION,
  FORECASTS_KEY,
  readJsonDto,
  StoredForecast,
} from '@forecourt/contracts';
import type { BalanceChange, Ledger, TransactionEffects } from '@forecourt/ledger';
import { areAsAssumed } from '@forecourt/policy/access';
import { LEDGER } from '@forecourt/runtime/ledger';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { type Logger, LOGGER, REDIS, RepeatedTask } from '@forecourt/runtime/service';
import { AccessAudit, type AuditedDecision } from '../access/access-audit.js';
import { PauseOrders } from '../access/pause-orders.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { orStoreUnreachable } from '../redis-outage.js';
import { scopeOfForecasts } from '../access/pause-scopes.js';

/** Time for which the call that has a transaction executed checks its forecast alone. */
const FIRST_LOOK_MS = 15_000;
/** Time for which that call awaits the balance changes at the node that serves reads. */
const SHOWN_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 5_000;
/** Forecasts that a gateway looks up at once. */
const MOST_DUE = 20;
/** A transaction that is not executed yet is looked up again after its age, within these bounds. */
const SHORTEST_PAUSE_MS = 5_000;
const LONGEST_PAUSE_MS = 600_000;
/** A transaction that is executed, and whose balance changes no node shows by this age, is undecided. */
const UNDECIDED_AFTER_MS = 600_000;
/** After the reservation's end: no claim that was under way is made by then. */
const CLAIMED_WITHIN_MS = 60_000;
/** Longer than an epoch: a transaction that is not executed by this age will not be. */
const KEPT_MS = 25 * 3_600_000;

const HOUR_MS = 3_600_000;
/** Sorted set in Redis: digests of a token's transactions that have missed a forecast, and when. */
const missedKey = (token: string) => `fc:rate:missed-forecasts:${token}`;

const MISSED = 'the balance changes differ from the forecast';
const UNKNOWN = 'the balance changes are not known';
/** Its pauses are this gateway's, not an operator's. */
const PAUSED_BY = 'forecourt';

/**
 * Compares the balance changes of executed transactions with the forecasts by which rules have allowed them.
 * A forecast is in Redis from before its claim until it has been compared, by the call that has the
 * transaction executed or, later, by any gateway. A token whose forecasts are missed too often is refused
 * where rules need one, until an operator resumes it.
 */
@Injectable()
export class ForecastChecks implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #checking: RepeatedTask;

  constructor(
    @Inject(REDIS) private readonly redis: RedisConnection,
    @Inject(LEDGER)
    private readonly ledger: Ledger,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    @Inject(LOGGER) logger: Logger,
    private readonly orders: PauseOrders,
    private readonly audit: AccessAudit,
    private readonly coinPool: CoinPoolClient,
  ) {
    const run = () => this.checkDue();
    this.#checking = new RepeatedTask(
      { name: 'compare forecasts with effects', everyMs: LOOK_EVERY_MS, run },
      logger,
    );
  }

  onApplicationBootstrap(): void {
    this.#checking.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#checking.stop();
  }

  /**
   * Remembers a forecast before the claim of its transaction, and returns its stored form. Throws
   * STORE_UNREACHABLE.
   */
  async remember(forecast: StoredForecast): Promise<string> {
    const stored = JSON.stringify(forecast);
    const added = [
      this.redis.zadd(FORECASTS_KEY, forecast.at + FIRST_LOOK_MS, stored),
      this.redis.pexpire(FORECASTS_KEY, KEPT_MS + HOUR_MS),
    ];
    await orStoreUnreachable(Promise.all(added));
    return stored;
  }

  /** The transaction will not be executed by this claim. */
  async forget(stored: string): Promise<void> {
    await this.redis.zrem(FORECASTS_KEY, stored).catch(() => 0);
  }

  /** Compares the forecast of an executed transaction. What cannot be read now is looked up again later. */
  async check(stored: string, effects: Pick<TransactionEffects, 'gasUsed'>): Promise<void> {
    const forecast = readForecast(stored);
    if (forecast === null) return;
    try {
      await this.ledger.waitForLocalExecution(forecast.digest, SHOWN_WITHIN_MS);
      await this.compare(forecast, stored, effects);
    } catch {
      // `checkDue` tries again, and reports the failure.
    }
  }

  /**
   * Looks up the transactions that are due. Throws the errors of Redis, `LedgerUnreachable`, POOL_REFUSED,
   * STORE_UNREACHABLE.
   */
  async checkDue(now = Date.now()): Promise<void> {
    const due = await this.redis.zrangebyscore(FORECASTS_KEY, 0, now, 'LIMIT', 0, MOST_DUE);
    await Promise.all(due.map((stored) => this.lookUp(stored, now)));
  }

  private async lookUp(stored: string, now: number): Promise<void> {
    const forecast = readForecast(stored);
    const age = forecast ? now - forecast.at : LONGEST_PAUSE_MS;
    const pause = Math.min(Math.max(age, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
    // Before the look-up, so that other gateways leave it to this one.
    await this.redis.zadd(FORECASTS_KEY, 'XX', now + pause, stored);
    if (forecast === null) return;
    const landed = await this.ledger.findTransaction(forecast.digest);
    if (landed) await this.compare(forecast, stored, landed.effects, age);
    else if (age > KEPT_MS || !(await this.mayBeExecuted(forecast, age))) await this.forget(stored);
  }

  /**
   * Whether a reservation is bound to the transaction, or may still be. Throws POOL_REFUSED,
   * STORE_UNREACHABLE.
   */
  private async mayBeExecuted(
    { digest, durationSecs }: StoredForecast,
    age: number,
  ): Promise<boolean> {
    if (age < durationSecs * 1_000 + CLAIMED_WITHIN_MS) return true;
    const viewer = { token: null, user: null };
    return (await this.coinPool.findSponsorship({ viewer, digest })) !== null;
  }

  private async compare(
    forecast: StoredForecast,
    stored: string,
    effects: Pick<TransactionEffects, 'gasUsed'>,
    age = 0,
  ): Promise<void> {
    const changes = await this.readChanges(forecast, effects);
    if (changes === null && age < UNDECIDED_AFTER_MS) return;
    const { assumed, dryRun } = forecast;
    const missed = changes && assumed.filter((one) => !areAsAssumed(one, changes, forecast));
    // Counted before it is forgotten: a process that dies in between does not count a transaction twice.
    if (missed?.length && !dryRun) await this.countMissed(forecast, missed[0]!);
    const isForgotten = (await this.redis.zrem(FORECASTS_KEY, stored)) > 0;
    if (!isForgotten) return;
    if (missed === null) this.auditAs('undecided', forecast, assumed[0]!, UNKNOWN);
    else for (const one of missed) this.auditAs('deny', forecast, one, MISSED);
  }

  /** Null: no node shows them yet, or is reachable. */
  private async readChanges(
    { digest, gasOwner }: StoredForecast,
    effects: Pick<TransactionEffects, 'gasUsed'>,
  ): Promise<readonly BalanceChange[] | null> {
    try {
      const parts = await this.ledger.readTransactionParts(digest, ['balanceChanges']);
      return parts && this.ledger.readBalanceChanges(parts.balanceChanges, gasOwner, effects);
    } catch {
      return null;
    }
  }

  private async countMissed(
    { caller, digest }: StoredForecast,
    { rule }: AssumedChanges,
  ): Promise<void> {
    const [key, now] = [missedKey(caller), Date.now()];
    const counting = Promise.all([
      this.redis.zadd(key, 'NX', now, digest),
      this.redis.zremrangebyscore(key, '-inf', now - HOUR_MS),
      this.redis.zcard(key),
      this.redis.pexpire(key, HOUR_MS),
    ]);
    const [, , count] = await orStoreUnreachable(counting);
    if (count < this.config.maxMissedForecasts) return;
    const reason = `Within an hour, ${count} of the token’s transactions changed other balances than dry runs had forecast to rules such as ${rule}`;
    await this.orders.pause(scopeOfForecasts(caller), reason, PAUSED_BY);
    // When it is resumed, the count begins anew.
    await orStoreUnreachable(this.redis.del(key));
  }

  private auditAs(
    outcome: AuditedDecision['outcome'],
    forecast: StoredForecast,
    { rule: name, line }: AssumedChanges,
    reason: string,
  ): void {
    const { requestId, caller, reservationId, digest, sender, gasBudget, dryRun } = forecast;
    const { reservedBudget, durationSecs } = forecast;
    const reservation = { gasBudget: reservedBudget, durationSecs };
    const transaction = { digest, sender, gasBudget: BigInt(gasBudget) };
    const subject = { caller, reservation, reservationId, transaction };
    const rule = { name, line };
    this.audit.write({ requestId, stage: 'executed', outcome, rule, subject, dryRun, reason });
  }
}

/** Null: another release has stored it. */
function readForecast(stored: string): StoredForecast | null {
  try {
    const forecast = readJsonDto(StoredForecast, stored);
    return forecast.v === FORECAST_VERSION ? forecast : null;
  } catch {
    return null;
  }
}
