import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import {
  newestTransaction,
  readSponsorCosts,
  type SponsorCosts,
} from '../../support/sponsor-costs.js';
import { readCounted, readSponsorWealth, sumOfCounted } from '../../support/sponsor-wealth.js';
import { attackers } from './attackers/index.js';
import { findAttackViolations, p99Ratio } from './find-attack-violations.js';
import { HonestClients } from './honest-clients.js';
import { type HonestPhase, HonestSamples } from './honest-samples.js';
import {
  endedServices,
  measureMemory,
  type Memory,
  metricsUrlsOf,
  mostMemory,
  pidsOf,
  silentServices,
} from './measure-memory.js';
import { mergeAttackResults } from './merge-attack-results.js';
import type { AttackResult } from './run-attackers.js';
import { settlePool } from './settle-pool.js';
import { type AttackedSystem, startAttackedSystem } from './start-attacked-system.js';
import { startStallingHook } from './start-stalling-hook.js';
import type { Attack } from './start-attackers.js';
import type { Target } from './target.js';

export interface AttackSoakOptions {
  /** Decides the actions of honest users; attackers choose at random. */
  readonly seed: number;
  /**
   * Number of quiet phases, each followed by an attack, so that both kinds meet the same conditions of the
   * machine.
   */
  readonly rounds: number;
  /** Of each round: honest clients without attackers, as the baseline. */
  readonly quietMs: number;
  /** Of each round. */
  readonly attackMs: number;
  readonly users: number;
  readonly poolCoins: number;
  /** See `Target`; default 1. */
  readonly slowness?: number;
  readonly startAttack: (target: Target) => Attack;
  readonly say: (text: string) => void;
}

/** The result of a run. */
export interface AttackSoakReport {
  readonly seconds: number;
  readonly quiet: HonestPhase;
  readonly attacked: HonestPhase;
  readonly attacks: readonly AttackResult[];
  /** The decrease of the sponsor's worth, in the smallest unit. */
  readonly wealthDecrease: bigint;
  /** Token's name → the amount counted in its budget. */
  readonly counted: Readonly<Record<string, bigint>>;
  readonly costs: SponsorCosts;
  readonly memory: {
    readonly quiet: Memory;
    readonly most: Memory;
    readonly afterwards: Memory;
  };
  /** Violations that do not depend on the machine; the caller judges latency. */
  readonly violations: readonly string[];
}

const HONEST = 'honest';
const HONEST_LINES = ['reserve: { coins: 60, budget: 60 IOTA }'];
const HONEST_ADDRESS = '127.0.0.10';
/** Hoarded reservations end this long after the attack, those of honest users that failed slightly later. */
const HOARDED_MS = 5_000;
/** This long after the attack, every reservation has ended and has been swept. */
const RESERVATIONS_MS = 40_000;
const MEMORY_EVERY_MS = 10_000;
const SAY_EVERY_MS = 60_000;

/** Before the next quiet phase, attackers' reservations and transactions end. */
const CALM_MS = 10_000;

/** Runs honest clients in turn without and with attackers, then compares the accounts. */
export async function runAttackSoak(options: AttackSoakOptions): Promise<AttackSoakReport> {
  const callers = [{ name: HONEST, tokenLines: HONEST_LINES }, ...attackers];
  const { poolCoins } = options;
  const names = callers.map(({ name }) => name);
  const hook = await startStallingHook(HONEST);
  try {
    const { rules } = hook;
    // Two sponsors, so that transactions over one object can have coins of both.
    const attacked = await startAttackedSystem({
      callers,
      poolCoins,
      sponsors: 2,
      events: 1,
      history: true,
      eventIndex: true,
      rules,
    });
    try {
      return await attackSystem(attacked, names, options);
    } finally {
      await attacked.stop();
    }
  } finally {
    hook.stop();
  }
}

async function attackSystem(
  attacked: AttackedSystem,
  callers: readonly string[],
  options: AttackSoakOptions,
): Promise<AttackSoakReport> {
  const { system, sponsors, tokens } = attacked;
  const { ledger } = system;
  const { users, seed, say } = options;
  const startedAt = performance.now();
  const redis = new Redis(system.redisUrl);
  const readWealth = async () => {
    const wealths = await Promise.all(sponsors.map((one) => readSponsorWealth(ledger, one)));
    return wealths.reduce((sum, wealth) => sum + wealth, 0n);
  };
  const wealthBefore = await readWealth();
  const newest = await newestTransaction(ledger);
  const pids = pidsOf(system);
  const gatewayUrl = system.application.url;
  const access = { gatewayUrl, token: tokens[HONEST]!, ledger, from: HONEST_ADDRESS };
  const honest = await HonestClients.open(access, users, seed);
  try {
    const [alone, loaded] = [new HonestSamples(), new HonestSamples()];
    const attacks: (readonly AttackResult[])[] = [];
    let [quietMemory, most, endsAt]: [Memory, Memory, number] = [{}, {}, 0];
    for (let round = 1; round <= options.rounds; round++) {
      if (round > 1) await delay(CALM_MS);
      say(`round ${round} of ${options.rounds}: quiet for ${options.quietMs / 1_000} s`);
      await honest.use(alone, AbortSignal.timeout(options.quietMs));
      if (round === 1) quietMemory = await measureMemory(system);

      say(`under attack for ${options.attackMs / 1_000} s`);
      endsAt = Date.now() + options.attackMs;
      const attack = options.startAttack({
        ...describeTarget(attacked, honest.addresses, endsAt),
        slowness: options.slowness ?? 1,
      });
      const attackEnds = AbortSignal.timeout(options.attackMs);
      void sayProgress({ alone, loaded }, attackEnds, say);
      const [seen] = await Promise.all([
        watchMemory(system, attackEnds),
        honest.use(loaded, attackEnds),
      ]);
      most = mostMemory(most, seen);
      attacks.push(await attack.stop());
    }
    const [quiet, under] = [alone.summary(), loaded.summary()];
    const subscription = await honest.checkSubscription();
    const ended = endedServices(system, pids);

    say('settling');
    const beforeRefill = await newestTransaction(ledger);
    const settled = await settlePool(attacked, endsAt + RESERVATIONS_MS);
    // The end of the run fills the pools to their target, which is not on account of any caller.
    const { maintenance: refill } = await readSponsorCosts(ledger, sponsors, beforeRefill);
    const afterwards = await measureMemory(system);
    const wealthDecrease = wealthBefore - (await readWealth()) - refill;
    const counted = await readCounted(redis, sponsors, callers);
    const audit = await system.audit();
    return {
      seconds: Math.round((performance.now() - startedAt) / 1_000),
      quiet,
      attacked: under,
      attacks: mergeAttackResults(attacks),
      wealthDecrease,
      counted,
      costs: await readSponsorCosts(ledger, sponsors, newest),
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
  { system, sponsors, tokens }: AttackedSystem,
  victims: readonly string[],
  endsAt: number,
): Omit<Target, 'slowness'> {
  const { COIN_POOL_PORT } = system.services('coin-pool')[0]!.options.env;
  return {
    gatewayUrl: system.application.url,
    ledgerUrl: system.ledgerUrl,
    coinPool: { host: '127.0.0.1', port: Number(COIN_POOL_PORT) },
    eventsUrl: system.services('events')[0]!.url,
    metricsUrls: metricsUrlsOf(system),
    sponsors,
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
  { alone, loaded }: { readonly alone: HonestSamples; readonly loaded: HonestSamples },
  until: AbortSignal,
  say: (text: string) => void,
): Promise<void> {
  for (;;) {
    await delay(SAY_EVERY_MS, undefined, { signal: until }).catch(() => undefined);
    if (until.aborted) return;
    const [quiet, attacked] = [alone.summary(), loaded.summary()];
    const lines = (['sponsoring', 'queries'] as const).map((kind) => {
      const { successes, failures, p99Ms } = attacked[kind];
      const ratio = p99Ratio(quiet, attacked, kind).toFixed(2);
      return `${kind}: ${successes} succeeded, ${failures} failed, p99 ${p99Ms} ms (${ratio} times)`;
    });
    say(lines.join('; '));
  }
}
