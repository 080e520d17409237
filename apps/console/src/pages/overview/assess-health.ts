import { explainError } from '../../api/explain-error.js';
import type {
  FleetSponsor,
  Overview,
  Pause,
  RecentRequests,
  TokenLimits,
} from '../../generated/gateway-types.js';
import { groupDigits, shareOf } from '../../format/amounts.js';
import { describeProblems } from '../../format/problems.js';
import { shorten } from '../../format/identifiers.js';
import { nameEpochEnd } from '../pool/epoch-end.js';
import { drainStateOf, isRetired } from '../pool/sponsor-states.js';

/** A problem of the fleet, with its cause, the runbook's remedy, and the page that shows more. */
export interface Finding {
  /** `unknown`: what decides cannot be read. It is not a statement about the sponsors. */
  readonly level: 'attention' | 'stopped' | 'unknown';
  readonly title: string;
  readonly cause: string;
  readonly remedy: string;
  readonly page: '/pool' | '/refusals' | '/webhooks' | '/events' | '/access' | null;
  /** Of the page of refusals. */
  readonly code?: string;
}

const DAYS_LEFT_SOON = 7;
const ANNOUNCED_SHARE = 0.8;
const NAMED_BUDGETS = 3;
/** A refusal is over when this time has passed, and a transaction was executed since. */
const OVER_MS = 1_500;
/** Of so many requests at least, and at a lower rate, too few succeed. */
const JUDGED = { requests: 10, rate: 0.5 };
/** Refusals that something else in the list explains, or that say nothing about the fleet. */
const EXPLAINED = new Set(['PAUSED', 'SHUTTING_DOWN', 'HISTORY_OFF', 'EVENTS_INDEX_OFF']);

/** Sponsoring goes on without these. */
const BESIDE = /^(HISTORY|EVENTS)_/;

const NO_REQUESTS: RecentRequests = {
  sponsored: 0,
  failed: 0,
  refused: {},
  unserved_at: {},
  executed_at: null,
};

type Assessed = Omit<Overview, 'pauses' | 'failing_webhooks' | 'sponsors_read_at'> & {
  readonly pauses: readonly Pick<Pause, 'scope' | 'reason' | 'by'>[] | null;
  readonly failing_webhooks:
    | readonly Pick<
        NonNullable<Overview['failing_webhooks']>[number],
        'url' | 'token' | 'waiting' | 'ended_at'
      >[]
    | null;
};

/** Everything that is wrong, the gravest first; nothing: sponsoring works. `limits`: of the tokens. */
export function assessHealth(
  overview: Assessed,
  limits: readonly Pick<TokenLimits, 'token' | 'budgets'>[] = [],
): readonly Finding[] {
  const recent = overview.recent ?? NO_REQUESTS;
  const findings = [
    ...findPauses(overview),
    ...findUnread(overview),
    ...findUnserved(overview, recent),
    ...findPools(overview),
    ...findReports(overview),
    ...findRefused(recent),
    ...findBudgets(limits),
  ];
  return findings.toSorted((a, b) => GRAVITY.indexOf(a.level) - GRAVITY.indexOf(b.level));
}

const GRAVITY = ['stopped', 'unknown', 'attention'] as const;

function* findPauses({ pauses }: Assessed): Generator<Finding> {
  for (const { scope, reason, by } of pauses ?? []) {
    const isAll = scope === 'everything';
    yield {
      level: isAll ? 'stopped' : 'attention',
      title: isAll ? 'Sponsoring is paused' : 'Something is paused',
      cause: `${by} paused ${scope}: “${reason}”.`,
      remedy: 'Resume on the page Pool when the reason is gone.',
      page: '/pool',
    };
  }
}

/** The parts that the coin-pools and their Redis answer. */
const OF_POOL: ReadonlySet<string> = new Set(['sponsors', 'replicas', 'queue']);

function* findUnread({ problems, epoch }: Assessed): Generator<Finding> {
  if (epoch === null) {
    const why = problems.find(({ part }) => part === 'epoch')?.message;
    yield {
      level: 'unknown',
      title: 'The ledger’s state is unknown',
      cause: `${why ?? 'No node answers as a node does'}. The sponsors’ coins are not affected.`,
      remedy:
        'Check the node, or its provider. Claimed transactions are executed when it answers again.',
      page: null,
    };
  }
  const ofPool = problems.filter(({ part }) => OF_POOL.has(part));
  if (ofPool.length > 0) {
    yield {
      level: 'unknown',
      title: 'The state of the pool is unknown',
      cause: `${describeProblems(ofPool)}. This says nothing about the sponsors’ coins.`,
      remedy:
        'Bring back the same Redis or coin-pool with its data; the services reconnect by themselves.',
      page: '/pool',
    };
  }
  const others = problems.filter(({ part }) => part !== 'epoch' && !OF_POOL.has(part));
  if (others.length > 0) {
    yield {
      level: 'attention',
      title: 'Something cannot be read',
      cause: describeProblems(others),
      remedy: 'Look at the log of the service that is named.',
      page: null,
    };
  }
}

/** Refusals of requests that the gas station should have served, while they go on. */
function* findUnserved({ epoch, at }: Assessed, recent: RecentRequests): Generator<Finding> {
  for (const [code, last] of Object.entries(recent.unserved_at)) {
    const wasServed = (recent.executed_at ?? 0) > last || code === 'LEDGER_UNREACHABLE';
    const isOver = wasServed && at - last > OVER_MS;
    // While the ledger's state is unknown, that is the finding.
    const isKnown = code === 'LEDGER_UNREACHABLE' && epoch === null;
    if (isOver || isKnown || EXPLAINED.has(code)) continue;
    const { cause, remedy } = explainError(code);
    const { sponsored, failed, refused } = recent;
    const executed = sponsored + failed;
    const isServing = (executed > 0 && (recent.executed_at ?? 0) > last) || BESIDE.test(code);
    const count = refused[code] ?? 0;
    yield {
      level: isServing ? 'attention' : 'stopped',
      title: 'Callers are refused',
      cause: `${many(count, 'request')} got ${code} in the last minute, in which ${many(executed, 'transaction')} ${executed === 1 ? 'was' : 'were'} executed. ${cause}`,
      remedy,
      page: '/refusals',
      code,
    };
  }
}

/** The callers' own mistakes: of most requests, somebody should know. */
function* findRefused({ sponsored, failed, refused, unserved_at: unserved }: RecentRequests) {
  const own = Object.entries(refused)
    .filter(([code]) => !(code in unserved) && code !== 'PAUSED')
    .sort(([, a], [, b]) => b - a);
  const count = own.reduce((sum, [, one]) => sum + one, 0);
  const requests = sponsored + failed + count;
  if (requests < JUDGED.requests || sponsored >= requests * JUDGED.rate) return;
  const [code = null] = own[0] ?? [];
  const finding: Finding = {
    level: 'attention',
    title: 'Few requests succeed',
    cause: `${Math.round((sponsored / requests) * 100)} % of ${many(requests, 'request')} succeeded in the last minute; ${failed} failed on the ledger, ${count} were refused.`,
    remedy:
      code === null
        ? 'Look at the failed sponsorships.'
        : `Most often: ${explainError(code).cause}`,
    page: '/refusals',
    ...(code !== null && { code }),
  };
  yield finding;
}

function* findPools(fleet: Assessed): Generator<Finding> {
  const { sponsors, epoch, at } = fleet;
  const all = (sponsors ?? []).filter((sponsor) => !isRetired(sponsor));
  const serving = all.filter(({ drain }) => drain === null);
  if (all.length > 0 && serving.length === 0) {
    yield {
      level: 'stopped',
      title: `Every sponsor is ${all.every((one) => drainStateOf(one) === 'drained') ? 'drained' : 'draining'}`,
      cause: 'No sponsor gives reservations.',
      remedy: 'End a drain, or add a sponsor.',
      page: '/pool',
    };
  }
  for (const sponsor of all) {
    const { sponsor_address: address, drain, coins, days_left: days } = sponsor;
    const quarantined = coins['quarantined']?.coins ?? 0;
    if (drain !== null && serving.length > 0) {
      yield {
        level: 'attention',
        title:
          drainStateOf(sponsor) === 'drained' ? 'A sponsor is drained' : 'A sponsor is draining',
        cause: `${drain.by} drained ${shorten(address)}: “${drain.reason}”.`,
        remedy: 'End the drain when the reason is gone, or withdraw what is left.',
        page: '/pool',
      };
    }
    if (drain === null) yield* findShortage(sponsor, days);
    if (quarantined > 0) {
      yield {
        level: 'attention',
        title: 'Coins are quarantined',
        cause: `${many(quarantined, 'gas coin')} of ${shorten(address)} ${quarantined === 1 ? 'is' : 'are'} bound to transactions that were not executed but may still be.`,
        remedy: `A few are no problem: they return at the latest ${epoch === null ? 'with the epoch' : nameEpochEnd(epoch, fleet, at)}.`,
        page: '/pool',
      };
    }
  }
}

function* findShortage(
  { sponsor_address: address, coins, suspended_secs: seconds }: FleetSponsor,
  days: number | null,
): Generator<Finding> {
  const page = '/pool';
  if (seconds !== null) {
    yield {
      level: 'stopped',
      title: 'A pool is suspended',
      cause: `Redis may have lost writes: ${address} gives no coins for another ${seconds} s.`,
      remedy: 'Wait. Do not restart Redis before its settings are durable.',
      page,
    };
  } else if ((coins['available']?.coins ?? 0) === 0) {
    yield {
      level: 'stopped',
      title: 'A pool has no coins to give',
      cause: describeExhausted(address, coins),
      remedy: 'Send coins to the sponsor, or wait until quarantined coins return.',
      page,
    };
  } else if (days !== null && days < DAYS_LEFT_SOON) {
    yield {
      level: 'attention',
      title: 'The gas runs out soon',
      cause: `${address} has gas for ${days} days at the rate that was observed.`,
      remedy: 'Send coins to the sponsor; the pool adopts them by itself.',
      page,
    };
  }
}

function* findReports({
  failing_webhooks: webhooks,
  other_ledger_nodes: nodes,
}: Assessed): Generator<Finding> {
  for (const { url, token, waiting, ended_at: ended } of webhooks ?? []) {
    yield {
      level: 'attention',
      title: 'A webhook fails',
      cause: `${url} of ${token ?? 'the fleet'} ${ended === null ? 'does not receive' : 'has answered 410'}; ${many(waiting, 'delivery', 'deliveries')} ${waiting === 1 ? 'waits' : 'wait'}.`,
      remedy: 'Its deliveries show the receiver’s answers; they are tried again by themselves.',
      page: '/webhooks',
    };
  }
  if (nodes !== null && nodes.length > 0) {
    yield {
      level: 'attention',
      title: 'The index of events holds another ledger',
      cause: `${nodes.join(', ')} serves another ledger than the index. Nothing is read from it.`,
      remedy: 'Configure the database of this ledger’s events, or a node of the index’s ledger.',
      page: '/events',
    };
  }
}

/** Budgets at a threshold that alerts announce. Each refuses only its own token. */
function* findBudgets(limits: readonly Pick<TokenLimits, 'token' | 'budgets'>[]) {
  const used = limits.flatMap(({ token, budgets }) =>
    budgets.map(({ most, used: amount }) => {
      const share = shareOf(BigInt(amount), BigInt(most));
      return {
        share,
        text: `${Math.round(share * 100)} % of a budget of ${token ?? 'all tokens'}`,
      };
    }),
  );
  const spent = used
    .filter(({ share }) => share >= ANNOUNCED_SHARE)
    .toSorted((a, b) => b.share - a.share);
  if (spent.length === 0) return;
  const more = spent.length - NAMED_BUDGETS;
  const named = spent.slice(0, NAMED_BUDGETS).map(({ text }) => text);
  const isOne = spent.length === 1;
  const finding: Finding = {
    level: 'attention',
    title:
      spent[0]!.share >= 1
        ? `${isOne ? 'A budget is' : 'Budgets are'} used up`
        : `${isOne ? 'A budget is' : 'Budgets are'} nearly used up`,
    cause: `Used: ${[...named, ...(more > 0 ? [`${more} more`] : [])].join(', ')}.`,
    remedy: 'Raise it, or let it refuse its callers until it resets.',
    page: '/access',
  };
  yield finding;
}

function many(count: number, one: string, more = `${one}s`): string {
  return `${groupDigits(String(count))} ${count === 1 ? one : more}`;
}

function describeExhausted(address: string, coins: FleetSponsor['coins']): string {
  const held = ['reserved', 'executing', 'quarantined', 'maintenance']
    .map((state) => [state, coins[state]?.coins ?? 0] as const)
    .filter(([, count]) => count > 0)
    .map(([state, count]) => `${count} ${state}`);
  return held.length === 0
    ? `${address} has no coins.`
    : `All coins of ${address} are bound: ${held.join(', ')}.`;
}
