import type { PortSource } from './ports.js';
import type { RedisServerOptions } from '../redis/index.js';
import type { SponsorKey } from './sponsor-key.js';

/** A private PostgreSQL whose data are kept. */
export interface KeptPostgres {
  readonly folder: string;
  /** Of its user. */
  readonly password: string;
  /** The name of the system's database. */
  readonly database: string;
  /** Whether the database begins empty, without what an earlier system has left in it. */
  readonly renew: boolean;
}

/** Options of a system; every default suits a test. */
export interface SystemOptions {
  /** `one`: one process runs one replica of each service. Default: each replica is a process. */
  readonly processes?: 'separate' | 'one';
  /** Replicas of each service (default 1; `events` 0). */
  readonly gateways?: number;
  readonly coinPools?: number;
  readonly executors?: number;
  readonly events?: number;
  /** Replicas of history, with their database; true: one, false: none (default). */
  readonly history?: boolean | number;
  /** Whether events are kept in an index, in the database of history or one like it; default: no. */
  readonly eventIndex?: boolean;
  /** The database of history, instead of a new one. */
  readonly databaseUrl?: string;
  /**
   * A private PostgreSQL that is kept, or with `new` one that a test may kill. Absent: a database in the
   * server of `TEST_DATABASE_URL`, otherwise a new PostgreSQL.
   */
  readonly postgres?: 'new' | KeptPostgres;
  /**
   * The clone of the repository whose services are started; absent: this one. Devnet always runs
   * from this one.
   */
  readonly clone?: string;
  /** `random`: free ones, so that systems can run side by side (default). */
  readonly ports?: 'random' | PortSource;
  /** Switches devnet's control interface on. */
  readonly faults?: boolean;
  /**
   * Delay of the devnet's reads behind the validators: a time, or a range such as `0-500`; absent:
   * none.
   */
  readonly lagMs?: number | string;
  /** How the services use devnet, not a node of `ledgerUrl`; absent: over JSON-RPC. */
  readonly dialect?: 'json-rpc' | 'grpc';
  /** Called with devnet's address before the services start; returns the one by which they reach it. */
  readonly reachNodeBy?: (nodeUrl: string) => Promise<string>;
  /** Called with the address of the private Redis; returns the one by which services and tests reach it. */
  readonly reachRedisBy?: (redisUrl: string) => Promise<string>;
  /** Options of Node for the devnet. */
  readonly devnetNodeOptions?: readonly string[];
  /** The sponsor; absent: a new key. */
  readonly sponsor?: SponsorKey;
  /** Keys of further sponsors, or of all of them when `sponsor` is among them. */
  readonly sponsorSecrets?: readonly string[];
  /** A file with these keys, which the services read and watch. */
  readonly sponsorKeysFile?: string;
  /** The sponsor's coins at devnet's genesis: one for each amount, in the smallest unit. */
  readonly sponsorFunds?: readonly bigint[];
  /** Bearer tokens the gateways accept; absent: one new token. */
  readonly tokens?: readonly string[];
  /** The fleet secret; absent: a new one. */
  readonly fleetSecret?: string;
  /** Variables for every service, which override its others, except ports and addresses. */
  readonly env?: NodeJS.ProcessEnv;
  /** A node to use instead of a new devnet. */
  readonly ledgerUrl?: string;
  /** A Redis to use, or options to start one; absent: a private one in a temporary folder. */
  readonly redis?:
    { readonly url: string } | Pick<RedisServerOptions, 'appendfsync' | 'dir' | 'port'>;
  /** The folder of the services' logs; absent: a temporary folder. */
  readonly logDir?: string;
  /** Called with a description of each step. */
  readonly onProgress?: (step: string) => void;
  /** Aborts the start and stops all started processes. */
  readonly signal?: AbortSignal;
}

/** Number of replicas of history. */
export function historyReplicas({ history = false }: SystemOptions): number {
  return Number(history);
}

/** Whether a service of the system keeps data in PostgreSQL. */
export function needsDatabase(options: SystemOptions): boolean {
  return historyReplicas(options) > 0 || options.eventIndex === true;
}

/** Ten coins, 10 000 whole ones together: enough to fill a pool with several splits at once. */
export const USUAL_FUNDS: readonly bigint[] = Array.from({ length: 10 }, () => 1_000_000_000_000n);
