import { Balancer } from '../../support/balancer.js';
import { compareHistory } from '../../chaos/compare-history.js';
import { LedgerScan } from '../../chaos/ledger-scan.js';
import { repeatCall, type Seen, startSteadyLoad } from '../../support/steady-load.js';
import { startTestSystem } from '../../support/start-test-system.js';
import type { TestSystem } from '../../support/test-system.js';
import type { Commit } from './choose-commit.js';
import type { UpgradeObservation } from './find-upgrade-violations.js';
import { hasApp } from './prepare-clone.js';
import { type Clones, replaceServices } from './replace-services.js';

const CLIENTS = 3;
/** Long enough that transactions are in flight whenever a replica is stopped. */
const EXECUTION_LATENCY_MS = 150;
const DRAIN_MS = 1_500;
/** Longer than the load's reservations last: unused ones have expired after that. */
const AT_REST_MS = 120_000;
/** Calls of the whole run that are repeated at its end. */
const REPEATED_AT_THE_END = 200;
const HELD = ['reserved', 'claimed', 'executing', 'quarantined', 'maintenance'] as const;

export interface UpgradeRun {
  readonly clones: Clones;
  readonly commits: { readonly old: Commit; readonly new: Commit };
  /** Duration of the load after each replica, in ms. */
  readonly loadMs: number;
  readonly say: (text: string) => void;
}

export type UpgradeResult = UpgradeObservation & { readonly seen: Seen; readonly seconds: number };

/** Starts the old version, and replaces it by the new one, back and forward again under load. */
export async function runUpgrade({
  clones,
  commits,
  loadMs,
  say,
}: UpgradeRun): Promise<UpgradeResult> {
  const beganAt = performance.now();
  const system = await startTestSystem({
    // The earlier release is tested under the conditions that it was made for.
    lagMs: 0,
    clone: clones.old,
    gateways: 2,
    coinPools: 2,
    executors: 2,
    events: 2,
    history: hasApp(clones.old, 'history') ? 2 : 0,
    env: { SHUTDOWN_DRAIN_MS: String(DRAIN_MS) },
    onProgress: say,
  });
  const balancer = new Balancer(system.applications);
  let load: ReturnType<typeof startSteadyLoad> | undefined;
  try {
    await system.control.fault({
      kind: 'latency',
      ms: EXECUTION_LATENCY_MS,
      method: 'iota_executeTransactionBlock',
    });
    load = startSteadyLoad(balancer, CLIENTS);
    const { seen } = load;
    await system.until(async () => seen.executed.length >= CLIENTS);
    const steps = await replaceServices({ system, clones, seen, loadMs, say });
    await load.stop();
    await system.control.clearFaults();
    const calls = seen.executed.length;
    const every = Math.max(1, Math.ceil(calls / REPEATED_AT_THE_END));
    say(`repeating every ${every}th of ${calls} calls`);
    for (let index = 0; index < calls; index += every)
      await repeatCall(balancer, seen, seen.executed[index]!);
    await balancer.stop();
    say('waiting until nothing is in flight');
    const judged = await observe(system, seen);
    const versions = { old: commits.old.hash, new: commits.new.hash };
    const seconds = Math.round((performance.now() - beganAt) / 1_000);
    return { ...judged, steps, versions, seen, seconds };
  } finally {
    void load?.stop();
    void balancer.stop();
    await system.stop();
  }
}

async function observe(
  system: TestSystem,
  seen: Seen,
): Promise<Omit<UpgradeObservation, 'steps' | 'versions'>> {
  const bound = await untilFree(system);
  const scan = new LedgerScan(system.ledger, system.sponsor);
  await scan.readOn();
  const answered = seen.executed.map(({ transaction }) => transaction.digest);
  const calls = answered.map((digest) => ({ digest }));
  const isRecorded = system.services('history').length > 0;
  const audit = await system.audit(['--json']);
  const pools = audit.exitCode === 2 ? [] : (JSON.parse(audit.stdout) as { isExact: boolean }[]);
  return {
    failures: seen.failures,
    answered,
    landed: scan.landed,
    gas: { ledger: scan.gasCharged, pool: (await system.totals()).gasCharged },
    bound,
    history: isRecorded ? await compareHistory(system, calls, scan) : [],
    audit: {
      exact: audit.exitCode === 0 && pools.every(({ isExact }) => isExact),
      text: audit.output,
    },
  };
}

/** Waits until every coin is free; returns the coins that are still bound otherwise. */
async function untilFree({ totals, until }: TestSystem): Promise<string> {
  let bound = '';
  const isFree = async () => {
    const { coins } = await totals();
    bound = HELD.filter((state) => coins[state] > 0n)
      .map((state) => `${state} ${coins[state]}`)
      .join(', ');
    return bound === '';
  };
  await until(isFree, AT_REST_MS).catch(() => undefined);
  return bound;
}
