import type { Dialect } from '../support/dialect-config.js';
import type { Plan, Size } from './plan-chaos.js';
import type { Behaviour } from './sponsored-call.js';

/** The settings of a run. */
export interface ChaosOptions {
  /** Decides every kill, every fault and every action of the clients. */
  readonly seed: number;
  readonly replicas: Size['replicas'];
  /** How services use the node; absent: as `FORECOURT_TEST_LEDGER` says. */
  readonly dialect?: Dialect;
  /** The intended number of kills over all rounds. */
  readonly kills: number;
  /** After each round the system comes to rest and every invariant is checked. */
  readonly rounds: number;
  readonly clients: number;
  /** The size of the pool. */
  readonly poolCoins: number;
  /** The weight of each behaviour of clients; absent: `behaviours`. */
  readonly behaviours?: Readonly<Partial<Record<Behaviour, number>>>;
  /** The plan of every round; absent: the seed decides. */
  readonly plan?: Plan;
  /** The longest permitted recovery, in ms. */
  readonly recoveryBoundMs: number;
  /** No round begins later than this, in ms since the start; absent: all rounds run. */
  readonly endAfterMs?: number;
  /** Variables of the services that override the usual ones. */
  readonly env?: NodeJS.ProcessEnv;
  readonly say?: (text: string) => void;
}

/** Leases and waits short enough that every repair happens within a round. */
export const chaosEnvironment: NodeJS.ProcessEnv = {
  POOL_SCAN_MS: '2000',
  EXECUTE_WAIT_MS: '6000',
  CLAIM_LEASE_MS: '2000',
  LEDGER_TIMEOUT_MS: '5000',
  LOCAL_EXECUTION_WAIT_MS: '1000',
  // Shorter than a round: some retries are answered from the pool's records, others from the ledger.
  OUTCOME_RETENTION_MS: '15000',
};
