import { Injectable } from '@nestjs/common';
import type { CurrentUsage, ReadUsagesReply } from '@forecourt/contracts';
import type { BudgetUse, LimitsResponse, TokenLimits } from '@forecourt/contracts/http';
import type { UsageLimit } from '@forecourt/policy/access';
import type { Caller } from '@forecourt/policy/tokens';
import { AccessPolicy } from '../access/access-policy.js';
import { describeLimit, describeLimits } from '../access/describe-access.js';
import { CoinPoolClient } from '../coin-pool/coin-pool-client.js';

const MOST_COUNTERS = 200;

/** Budgets of tokens, and what is used of them. */
@Injectable()
export class BudgetsService {
  constructor(
    private readonly policy: AccessPolicy,
    private readonly coinPool: CoinPoolClient,
  ) {}

  /**
   * Those of the caller's token; of all tokens and of the sponsor for one who `readsAll`. A user sees none:
   * all users of a token share its budgets, so that what is used tells of others. `payer`: whose counters;
   * absent: of the sponsor that pays where none is chosen. Throws the errors of `CoinPoolClient.readUsages`.
   */
  async list(caller: Caller, readsAll: boolean, payer?: string): Promise<LimitsResponse['result']> {
    const callers = readsAll ? this.policy.callers : [caller];
    const budgetsOf = ({ sender, budget }: Caller) => (sender === null ? budget : []);
    const ofSponsor = readsAll
      ? this.policy.rulesOf(caller).caps.filter((cap) => !caller.budget.includes(cap))
      : [];
    const limits = [...callers.flatMap(budgetsOf), ...ofSponsor];
    const counters = limits.map(({ counter }) => counter);
    const { sponsor, usages } = await this.read(counters, payer);
    const now = Date.now();
    const used = new Map(usages.map((usage) => [usage.counter, usage]));
    const describe = (limit: UsageLimit) => describeBudget(limit, used.get(limit.counter), now);
    const all: TokenLimits[] = callers.map((one) => ({
      token: one.token,
      budgets: budgetsOf(one).map(describe),
      others: describeLimits({ ...one, budget: [] }),
    }));
    if (ofSponsor.length > 0) {
      all.push({ token: null, budgets: ofSponsor.map(describe), others: [] });
    }
    return { sponsor_address: sponsor, limits: all };
  }

  /** A part at a time: the script that reads counters holds up every other command of Redis. */
  private async read(counters: readonly string[], payer?: string): Promise<ReadUsagesReply> {
    const first = await this.coinPool.readUsages({
      ...(payer !== undefined && { sponsor: payer }),
      counters: counters.slice(0, MOST_COUNTERS),
    });
    const { sponsor } = first;
    const usages = [...first.usages];
    for (let from = MOST_COUNTERS; from < counters.length; from += MOST_COUNTERS) {
      const part = counters.slice(from, from + MOST_COUNTERS);
      usages.push(...(await this.coinPool.readUsages({ sponsor, counters: part })).usages);
    }
    return { sponsor, usages };
  }
}

function describeBudget(
  limit: UsageLimit,
  usage: CurrentUsage | undefined,
  now: number,
): BudgetUse {
  const { comparison, windowMs, until } = limit;
  const most = comparison.operator === '<' ? comparison.limit - 1n : comparison.limit;
  const used = BigInt(usage?.used ?? 0);
  const endsInMs = usage?.endsInMs ?? 0;
  return {
    limit: describeLimit(limit),
    most: String(most),
    used: String(used),
    left: String(used < most ? most - used : 0n),
    window_secs: windowMs && windowMs / 1_000,
    resets_at: windowMs !== null && endsInMs > 0 ? now + endsInMs : null,
    ends_at: until,
  };
}
