import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeyServer } from '@forecourt/testing/key-services';
import { createSponsorKey } from '@forecourt/testing/system';
import { chooseDialect } from '../support/dialect-config.js';
import { ForeignNetwork } from '../support/foreign-network.js';
import { NodeRelay } from '../support/node-relay.js';
import { startTestSystem } from '../support/start-test-system.js';
import { chaosEnvironment, type ChaosOptions } from './chaos-options.js';
import { compareReplay, RULES } from './compare-replay.js';
import { findViolations, type Violation } from './find-violations.js';
import { JobThief } from './job-thief.js';
import { observeRound } from './observe-round.js';
import { OrderingClient } from './ordering-client.js';
import { planChaos } from './plan-chaos.js';
import { RedisFailover } from './redis-failover.js';
import { type RoundParts, runRound } from './run-round.js';
import { LedgerScan } from './ledger-scan.js';
import { Seeded } from '../support/seeded.js';
import type { SponsoredCall } from './sponsored-call.js';
import { Tally } from './tally.js';

/** The result of a run. */
export interface ChaosReport {
  readonly seed: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly tally: Tally;
  readonly calls: readonly SponsoredCall[];
  /** Transactions that the sponsor paid for, including its own splits and consolidations. */
  readonly landed: number;
  readonly retries: number;
  readonly coinsLost: number;
  readonly longestRecoveryMs: number;
  /** Orders of amounts, and how many of them were repeated because Redis may have lost one. */
  readonly orders: number;
  readonly ordersAfterLosses: number;
  readonly violations: readonly Violation[];
}

const RECIPIENTS = 3;

/**
 * Runs a whole system under load with kills and faults of its node, and checks every invariant after each
 * round.
 */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { seed, rounds, replicas, say = () => undefined } = options;
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1_000);
  const dir = mkdtempSync(join(tmpdir(), 'forecourt-chaos-'));
  const rules = join(dir, 'rules.yaml');
  writeFileSync(rules, RULES);
  const keys = await KeyServer.start({ protocol: 'sidecar' });
  const foreign = await ForeignNetwork.start(chooseDialect());
  let relay: NodeRelay | undefined;
  let failover: RedisFailover | undefined;
  // It never serves; its funds are ordered away.
  const treasury = createSponsorKey();
  const recipients = Array.from({ length: RECIPIENTS }, () => createSponsorKey().address);
  const system = await startTestSystem({
    sponsor: { address: keys.key.address, secret: keys.entry() },
    sponsorSecrets: [keys.entry(), treasury.secret],
    ...(options.dialect && { dialect: options.dialect }),
    gateways: replicas.gateway,
    coinPools: replicas['coin-pool'],
    executors: replicas.executor,
    history: replicas.history,
    postgres: 'new',
    redis: { dir },
    reachNodeBy: async (nodeUrl) => (relay = await NodeRelay.start(nodeUrl)).url,
    reachRedisBy: async (redisUrl) => (failover = await RedisFailover.start(redisUrl)).url,
    env: {
      ...chaosEnvironment,
      WITHDRAW_ADDRESSES: recipients.join(','),
      ACCESS_RULES_FILE: rules,
      POOL_TARGET_COINS: String(options.poolCoins),
      POOL_MIN_COINS: String(options.poolCoins),
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(dir, 'compiled'),
      ...options.env,
    },
  });
  const tally = new Tally();
  const gateways = {
    urls: system.applications.map(({ url }) => url),
    token: system.application.token,
    surprises: tally.surprises,
  };
  const { ledger, control } = system;
  const operator = new OrderingClient(gateways, ledger, control, treasury.address, recipients);
  const parts: RoundParts = {
    system,
    gateways,
    tally,
    keys,
    foreign,
    relay: relay!,
    failover: failover!,
    operator,
    thief: new JobThief(system.redisUrl),
  };
  const scan = new LedgerScan(system.ledger, system.sponsor);
  const seeded = new Seeded(seed);
  const calls: SponsoredCall[] = [];
  const violations: Violation[] = [];
  let [coinsLost, longestRecoveryMs, retries, round] = [0, 0, 0, 0];
  try {
    await operator.prepare();
    for (; round < rounds; round++) {
      const isLate = seconds() * 1_000 > (options.endAfterMs ?? Infinity);
      if (isLate || violations.length > 0) break;
      const size = { replicas, kills: Math.ceil(options.kills / rounds) };
      const plan = options.plan ?? planChaos(seeded.branch(), size);
      const result = await runRound(parts, plan, seeded.branch(), options);
      calls.push(...result.calls);
      const { recoveryBoundMs: boundMs } = options;
      const branch = seeded.branch();
      const seen = await observeRound(parts, scan, calls, result.calls, branch, boundMs);
      violations.push(
        ...findViolations({
          ...result,
          ...seen,
          losses: tally.losses,
          surprises: tally.surprises.splice(0),
        }),
      );
      coinsLost += seen.coinsLost;
      retries += seen.retries.size;
      longestRecoveryMs = Math.max(longestRecoveryMs, result.recoveryMs ?? options.recoveryBoundMs);
      say(
        `round ${round + 1} of ${rounds}, ${seconds()} s: ${tally.killsInAll} kills, ` +
          `${scan.landed.size} transactions, recovery ${describeMs(result.recoveryMs)}, ` +
          `${violations.length} violations`,
      );
    }
    if (violations.length === 0) {
      const differences = await compareReplay(system, calls, options.recoveryBoundMs);
      for (const detail of differences) violations.push({ invariant: 'replay agrees', detail });
    }
  } finally {
    await parts.thief.close();
    await system.stop();
    relay?.stop();
    failover?.stop();
    await foreign.stop();
    await keys.stop();
    rmSync(dir, { recursive: true, force: true });
  }
  return {
    seed,
    rounds: round,
    seconds: seconds(),
    tally,
    calls,
    landed: scan.landed.size,
    retries,
    coinsLost,
    longestRecoveryMs,
    orders: operator.orders.length,
    ordersAfterLosses: operator.afterLosses,
    violations,
  };
}

function describeMs(ms: number | null): string {
  return ms === null ? 'not within the bound' : `${(ms / 1_000).toFixed(1)} s`;
}
