import type { PortSource } from './ports.js';
import type { RedisServerOptions } from '../redis/index.js';
import type { SponsorKey } from './sponsor-key.js';

/** How a system is to be started; every part has a default that suits a test. */
export interface SystemOptions {
  /** Replicas of each service (default 1; `events` 0). */
  readonly gateways?: number;
  readonly coinPools?: number;
  readonly executors?: number;
  readonly events?: number;
  /** The clone of the repository whose services are started; absent: this one. Devnet is always this one's. */
  readonly clone?: string;
  /** `random`: free ones, so that systems can run side by side (default). */
  readonly ports?: 'random' | PortSource;
  /** Switches devnet's control interface on. */
  readonly faults?: boolean;
  /** How far the devnet's reads are behind the validators: a time, or a range such as `0-500`; absent: they are not. */
  readonly lagMs?: number | string;
  /** Options of Node for the devnet. */
  readonly devnetNodeOptions?: readonly string[];
  /** The sponsor; absent: a new key. */
  readonly sponsor?: SponsorKey;
  /** Keys of further sponsors, or of all of them when `sponsor` is among them. */
  readonly sponsorSecrets?: readonly string[];
  /** A file that holds these keys: the services read it, and watch it. */
  readonly sponsorKeysFile?: string;
  /** What the sponsor owns at devnet's genesis: one coin for each amount, in the smallest unit. */
  readonly sponsorFunds?: readonly bigint[];
  /** Bearer tokens the gateways accept; absent: one new token. */
  readonly tokens?: readonly string[];
  /** The secret by which the services authenticate each other; absent: a new one. */
  readonly fleetSecret?: string;
  /** Variables for every service, over what it would get otherwise, ports and addresses apart. */
  readonly env?: NodeJS.ProcessEnv;
  /** A node to use instead of a devnet of its own. */
  readonly ledgerUrl?: string;
  /** A Redis to use, or how to start one; absent: a private one in a temporary folder. */
  readonly redis?:
    { readonly url: string } | Pick<RedisServerOptions, 'appendfsync' | 'dir' | 'port'>;
  /** Where the services' logs go; absent: a temporary folder. */
  readonly logDir?: string;
  /** Called with a description of each step. */
  readonly onProgress?: (step: string) => void;
  /** Aborts the start; what has been started is stopped. */
  readonly signal?: AbortSignal;
}

/** Ten coins, 10 000 whole ones together: enough to fill a pool with several splits at once. */
export const USUAL_FUNDS: readonly bigint[] = Array.from({ length: 10 }, () => 1_000_000_000_000n);
