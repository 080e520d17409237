import { setTimeout as delay } from 'node:timers/promises';
import { IotaClient } from '@iota/iota-sdk/client';
import { requestIotaFromFaucetV0 } from '@iota/iota-sdk/faucet';
import { LedgerScan } from '../../chaos/ledger-scan.js';
import { Seeded } from '../../support/seeded.js';
import { backUpRedis } from './back-up-redis.js';
import type { ComposeProject } from './compose-project.js';
import {
  findIdleViolations,
  findStandstills,
  type Violation,
} from './find-container-violations.js';
import { judgeRound } from './judge-round.js';
import { endedByThemselves, type Kill, killContainers } from './kill-containers.js';
import { type ContainerUse, measureIdle } from './measure-idle.js';
import { restoreRedis } from './restore-redis.js';
import { SponsoredLoad } from './sponsored-load.js';
import { untilComplete } from './until-complete.js';

const GATEWAY_URL = 'http://127.0.0.1:9527';
const LEDGER_URL = 'http://127.0.0.1:9000';
const FAUCET_URL = 'http://127.0.0.1:9123';
/** `POOL_TARGET_COINS` */
const TARGET_COINS = 500;
/** Number of gifts of the faucet: one does not pay for the deposits of so many coins. */
const GIFTS = 4;
const FILLED_MS = 120_000;
/** Age of the backup when it is restored, and duration of the load after that. */
const AGE_MS = 10_000;
const AFTERWARDS_MS = 5_000;
/** Longer than the suspension, during which the pool hands out no coins. */
const SERVED_MS = 120_000;
/**
 * After a load V8 waits a hundred seconds before it collects the remaining garbage, and then collects several
 * times.
 */
const SETTLE_MS = 240_000;
const IDLE_SECS = 60;

export interface ContainersRun {
  readonly project: ComposeProject;
  readonly sponsor: string;
  readonly token: string;
  readonly commit: string;
  readonly seed: number;
  readonly seconds: number;
  readonly interrupted: AbortSignal;
  readonly say: (text: string) => void;
}

export interface ContainersResult {
  readonly kills: readonly Kill[];
  readonly transactions: { readonly kills: number; readonly restore: number };
  readonly restore: {
    /** Transactions that the restored Redis does not have. */
    readonly transactions: number;
    /** Calls that were refused because Redis did not have their reservation, or it had expired. */
    readonly refused: number;
    /** From the stop of Redis until a transaction was executed, in ms; null: too long. */
    readonly servedMs: number | null;
  };
  readonly idle: readonly (ContainerUse & { readonly name: string })[];
  readonly violations: readonly Violation[];
}

/**
 * Builds the image, runs the whole system, disturbs it under load and checks the outcome of every
 * transaction.
 */
export async function runContainers(run: ContainersRun): Promise<ContainersResult> {
  const { project, sponsor, token, commit, say } = run;
  say('building the image');
  await project.build(commit);
  for (const time of ['on an empty machine', 'again on the same data']) {
    say(`starting the containers ${time}`);
    await project.up();
    await project.sponsorFirst();
    await project.down();
  }
  await project.up();
  const ledger = new IotaClient({ url: LEDGER_URL });
  for (let times = 0; times < GIFTS; times++) {
    await requestIotaFromFaucetV0({ host: FAUCET_URL, recipient: sponsor });
  }
  say('waiting until the pool is filled');
  const { missing } = await untilComplete(project, TARGET_COINS, FILLED_MS);
  if (missing !== '') throw new Error(`the pool was not filled: ${missing}`);
  const scan = new LedgerScan(ledger, sponsor);
  const seeded = new Seeded(run.seed);
  const createLoad = () => {
    const gateways = { urls: [GATEWAY_URL], token, surprises: [] };
    return new SponsoredLoad(gateways, ledger, seeded.branch(), run.interrupted);
  };
  const killed = await killUnderLoad(run, createLoad(), scan);
  const restored = await restoreUnderLoad(run, createLoad(), scan);
  say(`idle: measuring for ${IDLE_SECS} s, after ${SETTLE_MS / 1_000} s`);
  const idle = await idleUse(project);
  return {
    idle,
    kills: killed.kills,
    transactions: { kills: killed.executed, restore: restored.executed },
    restore: restored.restore,
    violations: [...killed.violations, ...restored.violations, ...findIdleViolations(idle)],
  };
}

async function killUnderLoad(run: ContainersRun, load: SponsoredLoad, scan: LedgerScan) {
  const { project, seconds, say } = run;
  say(`killing containers under load for ${seconds} s`);
  const { kills, surprises } = await killContainers(project, load, seconds, say);
  await load.stop();
  load.gateways.surprises.push(...surprises, ...endedByThemselves(await project.containers()));
  say(`${load.executed} transactions were executed; waiting until every coin is free`);
  const { gateways, calls, executed } = load;
  const forgotten = new Set<never>();
  const judged = await judgeRound({ project, scan, gateways, calls, forgotten, isRestored: false });
  return { kills, executed, violations: [...judged, ...findStandstills(kills)] };
}

async function restoreUnderLoad(run: ContainersRun, load: SponsoredLoad, scan: LedgerScan) {
  const { project, say } = run;
  say('backing up Redis under load');
  await backUpRedis(project);
  const before = load.executed;
  await delay(AGE_MS);
  const transactions = load.executed - before;
  say(`restoring the backup, which is ${transactions} transactions old`);
  const answered = new Set(load.calls.filter(({ answers }) => answers.length > 0));
  const stoppedAt = performance.now();
  await restoreRedis(project);
  const again = await load.untilServed(SERVED_MS);
  const servedMs = again === null ? null : performance.now() - stoppedAt;
  const forgotten = new Set(load.calls.filter((call) => !answered.has(call)));
  say(servedMs === null ? 'nothing was executed' : `executing after ${Math.round(servedMs)} ms`);
  await delay(AFTERWARDS_MS);
  await load.stop();
  load.gateways.surprises.push(...endedByThemselves(await project.containers()));
  say(`${load.executed} transactions were executed; waiting until every coin is free`);
  const { gateways, calls, executed } = load;
  const judged = await judgeRound({ project, scan, gateways, calls, forgotten, isRestored: true });
  const refused = calls.filter(({ answers }) => answers[0]?.kind === 'refused').length;
  const standstills = findStandstills([{ names: ['the restore'], servedMs }]);
  const restore = { transactions, refused, servedMs };
  return { executed, restore, violations: [...judged, ...standstills] };
}

async function idleUse(project: ComposeProject): Promise<ContainersResult['idle']> {
  await delay(SETTLE_MS);
  const containers = await project.containers();
  const uses = await measureIdle(
    containers.map(({ id }) => id),
    IDLE_SECS,
  );
  return uses.map((use) => ({ ...use, name: containers.find(({ id }) => id === use.id)!.name }));
}
