import type { Plan, Size } from './plan-chaos.js';
import type { Behaviour } from './sponsored-call.js';

/** How a run is made. */
export interface ChaosOptions {
  /** Decides every kill, every fault and what every client does. */
  readonly seed: number;
  readonly replicas: Size['replicas'];
  /** Kills to aim at, over all rounds. */
  readonly kills: number;
  /** After each round the system comes to rest and every invariant is checked. */
  readonly rounds: number;
  readonly clients: number;
  /** How many coins the pool is kept at. */
  readonly poolCoins: number;
  /** How likely clients are to behave how; absent: as `behaviours` says. */
  readonly behaviours?: Readonly<Partial<Record<Behaviour, number>>>;
  /** What is to happen in every round; absent: what the seed decides. */
  readonly plan?: Plan;
  /** Longest a recovery may take, in ms. */
  readonly recoveryBoundMs: number;
  /** No round begins after this, in ms since the start; absent: all are made. */
  readonly endAfterMs?: number;
  /** Variables of the services, over the usual ones. */
  readonly env?: NodeJS.ProcessEnv;
  readonly say?: (text: string) => void;
}

/** Leases and waits short enough that every repair has its turn within a round. */
export const chaosEnvironment: NodeJS.ProcessEnv = {
  POOL_SCAN_MS: '2000',
  EXECUTE_WAIT_MS: '6000',
  COIN_POOL_TIMEOUT_MS: '3000',
  CLAIM_LEASE_MS: '2000',
  REQUEUE_AFTER_MS: '2000',
  LEDGER_TIMEOUT_MS: '5000',
  LOCAL_EXECUTION_WAIT_MS: '1000',
  // Shorter than a round: retries are answered from the pool's memory and from the ledger.
  OUTCOME_RETENTION_MS: '15000',
};
