import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Seeded } from '../../support/seeded.js';
import { startTestSystem } from '../../support/start-test-system.js';
import type { Victim } from './kill-once.js';
import { type Recovery, recoverOnce } from './recover-once.js';

const POOL_COINS = 60;
const REPLICAS = { gateway: 2, 'coin-pool': 2, executor: 3 } as const;
const LONGEST_DOWN_MS = 1_500;
const SAY_EVERY = 10;

export interface RecoveryOptions {
  readonly seed: number;
  readonly kills: number;
  readonly say: (text: string) => void;
}

export interface RecoveryReport {
  readonly recoveries: readonly Recovery[];
  readonly seconds: number;
  /** Answers of status 500, and the audit's output if the pool and the ledger differed at the end. */
  readonly faults: readonly string[];
}

/** Kills the parts of a whole system one after another, with the default waits and leases of the services. */
export async function measureRecovery(options: RecoveryOptions): Promise<RecoveryReport> {
  const { seed, kills, say } = options;
  const startedAt = performance.now();
  const dir = mkdtempSync(join(tmpdir(), 'forecourt-recovery-'));
  const system = await startTestSystem({
    gateways: REPLICAS.gateway,
    coinPools: REPLICAS['coin-pool'],
    executors: REPLICAS.executor,
    redis: { dir },
    env: { POOL_TARGET_COINS: String(POOL_COINS), POOL_MIN_COINS: String(POOL_COINS) },
  });
  const faults: string[] = [];
  const urls = system.applications.map(({ url }) => url);
  const gateways = { urls, token: system.application.token, surprises: faults };
  const seeded = new Seeded(seed);
  const recoveries: Recovery[] = [];
  try {
    await system.untilAvailable(POOL_COINS);
    while (recoveries.length < kills) {
      const victim = chooseVictim(seeded);
      recoveries.push(await recoverOnce(system, gateways, POOL_COINS, victim, seeded));
      if (recoveries.length % SAY_EVERY > 0) continue;
      const longest = Math.max(...recoveries.map(({ poolMs }) => poolMs ?? Infinity));
      say(`${recoveries.length} of ${kills} kills, longest recovery ${Math.round(longest)} ms`);
    }
    const { exitCode, output } = await system.audit();
    if (exitCode !== 0) faults.push(`the audit ended with ${exitCode}: ${output}`);
  } finally {
    await system.stop();
    rmSync(dir, { recursive: true, force: true });
  }
  return { recoveries, faults, seconds: Math.round((performance.now() - startedAt) / 1_000) };
}

function chooseVictim(seeded: Seeded): Victim {
  const kind = seeded.weighted({ replica: 6, executors: 2, Redis: 2 });
  if (kind === 'executors') return { kind };
  if (kind === 'Redis') return { kind, downMs: seeded.integer(0, LONGEST_DOWN_MS) };
  const app = seeded.pick(['gateway', 'coin-pool', 'executor'] as const);
  return { kind, app, index: seeded.integer(0, REPLICAS[app] - 1) };
}
