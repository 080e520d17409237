import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { newestTransaction, readSponsorCosts, type SponsorCosts } from '../../sponsor-costs.js';
import { readCounted, readSponsorWealth, sumOfCounted } from '../../sponsor-wealth.js';
import { attackers } from './attackers/index.js';
import { findAttackViolations } from './find-attack-violations.js';
import { HonestClients, type HonestPhase } from './honest-clients.js';
import {
  endedServices,
  measureMemory,
  type Memory,
  mostMemory,
  pidsOf,
  silentServices,
} from './measure-memory.js';
import type { AttackResult } from './run-attackers.js';
import { settlePool } from './settle-pool.js';
import { type AttackedSystem, startAttackedSystem } from './start-attacked-system.js';
import type { Attack } from './start-attackers.js';
import type { Target } from './target.js';

export interface AttackSoakOptions {
  /** Decides what honest users do; attackers choose at random. */
  readonly seed: number;
  /** Honest clients alone, for the figures to compare with. */
  readonly quietMs: number;
  readonly attackMs: number;
  readonly users: number;
  readonly poolCoins: number;
  /** See `Target`; default 1. */
  readonly slowness?: number;
  readonly startAttack: (target: Target) => Attack;
  readonly say: (text: string) => void;
}

/** What a run has shown. */
export interface AttackSoakReport {
  readonly seconds: number;
  readonly quiet: HonestPhase;
  readonly attacked: HonestPhase;
  readonly attacks: readonly AttackResult[];
  /** By how much the sponsor is worth less, in the smallest unit. */
  readonly wealthDecrease: bigint;
  /** Token's name → what was counted in its budget. */
  readonly counted: Readonly<Record<string, bigint>>;
  readonly costs: SponsorCosts;
  readonly memory: {
    readonly quiet: Memory;
    readonly most: Memory;
    readonly afterwards: Memory;
  };
  /** What did not hold, of that which holds on any machine; latency is judged by whoever asks for it. */
  readonly violations: readonly string[];
}

const HONEST = 'honest';
const HONEST_LINES = ['reserve: { coins: 60, budget: 60 coins }'];
const HONEST_ADDRESS = '127.0.0.10';
/** Hoarded reservations end so long after the attack, those of honest users that failed somewhat later. */
const HOARDED_MS = 5_000;
/** Nothing is reserved any more so long after the attack, and all of it has been swept. */
const RESERVATIONS_MS = 40_000;
const MEMORY_EVERY_MS = 10_000;
const SAY_EVERY_MS = 60_000;

/** Honest clients alone, then the same beside attackers, then the accounts. */
export async function runAttackSoak(options: AttackSoakOptions): Promise<AttackSoakReport> {
  const callers = [{ name: HONEST, tokenLines: HONEST_LINES }, ...attackers];
  const attacked = await startAttackedSystem({ callers, poolCoins: options.poolCoins, events: 1 });
  const names = callers.map(({ name }) => name);
  try {
    return await attackSystem(attacked, names, options);
  } finally {
    await attacked.stop();
  }
}

async function attackSystem(
  attacked: AttackedSystem,
  callers: readonly string[],
  options: AttackSoakOptions,
): Promise<AttackSoakReport> {
  const { system, tokens } = attacked;
  const { ledger, sponsor } = system;
  const { users, seed, say } = options;
  const startedAt = performance.now();
  const redis = new Redis(system.redisUrl);
  const wealthBefore = await readSponsorWealth(ledger, sponsor);
  const newest = await newestTransaction(ledger);
  const pids = pidsOf(system);
  const gatewayUrl = system.application.url;
  const access = { gatewayUrl, token: tokens[HONEST]!, ledger, from: HONEST_ADDRESS };
  const honest = await HonestClients.open(access, users, seed);
  try {
    say(`quiet for ${options.quietMs / 1_000} s`);
    const quiet = await honest.use(AbortSignal.timeout(options.quietMs));
    const quietMemory = await measureMemory(system);

    say(`under attack for ${options.attackMs / 1_000} s`);
    const endsAt = Date.now() + options.attackMs;
    const attack = options.startAttack({
      ...describeTarget(attacked, honest.addresses, endsAt),
      slowness: options.slowness ?? 1,
    });
    const attackEnds = AbortSignal.timeout(options.attackMs);
    const [under, most] = await Promise.all([
      honest.use(attackEnds, (look) => void sayProgress(look, attackEnds, say)),
      watchMemory(system, attackEnds),
    ]);
    const attacks = await attack.stop();
    const subscription = await honest.checkSubscription();
    const ended = endedServices(system, pids);

    say('settling');
    const settled = await settlePool(attacked, endsAt + RESERVATIONS_MS);
    const afterwards = await measureMemory(system);
    const wealthDecrease = wealthBefore - (await readSponsorWealth(ledger, sponsor));
    const counted = await readCounted(redis, sponsor, callers);
    const audit = await system.audit();
    return {
      seconds: Math.round((performance.now() - startedAt) / 1_000),
      quiet,
      attacked: under,
      attacks,
      wealthDecrease,
      counted,
      costs: await readSponsorCosts(ledger, sponsor, newest),
      memory: { quiet: quietMemory, most, afterwards },
      violations: findAttackViolations({
        quiet,
        attacked: under,
        wealthDecrease,
        counted: sumOfCounted(counted),
        subscription,
        ended: [...new Set([...ended, ...silentServices(afterwards)])],
        settled,
        audit,
      }),
    };
  } finally {
    honest.close();
    redis.disconnect();
  }
}

function describeTarget(
  { system, tokens }: AttackedSystem,
  victims: readonly string[],
  endsAt: number,
): Omit<Target, 'slowness'> {
  const { COIN_POOL_PORT } = system.services('coin-pool')[0]!.options.env;
  return {
    gatewayUrl: system.application.url,
    ledgerUrl: system.ledgerUrl,
    coinPool: { host: '127.0.0.1', port: Number(COIN_POOL_PORT) },
    sponsor: system.sponsor,
    configuredToken: system.application.token,
    tokens,
    victims,
    endsAt: endsAt + HOARDED_MS,
  };
}

async function watchMemory(system: AttackedSystem['system'], until: AbortSignal): Promise<Memory> {
  let most: Memory = {};
  while (!until.aborted) {
    most = mostMemory(most, await measureMemory(system));
    await delay(MEMORY_EVERY_MS, undefined, { signal: until }).catch(() => undefined);
  }
  return most;
}

async function sayProgress(
  look: () => HonestPhase,
  until: AbortSignal,
  say: (text: string) => void,
): Promise<void> {
  const startedAt = performance.now();
  for (;;) {
    await delay(SAY_EVERY_MS, undefined, { signal: until }).catch(() => undefined);
    if (until.aborted) return;
    const { sponsoring, queries } = look();
    const minutes = Math.round((performance.now() - startedAt) / 60_000);
    say(
      `${minutes} min: ${sponsoring.successes} honest transactions, ${sponsoring.failures} failures, ` +
        `p99 ${sponsoring.p99Ms} ms; ${queries.successes} queries, ${queries.failures} failures`,
    );
  }
}
