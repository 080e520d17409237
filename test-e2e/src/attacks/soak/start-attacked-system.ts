import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type CoinState,
  coinStates,
  prepareCoinStore,
  readPoolTotals,
} from '@forecourt/coin-store';
import { createSponsorKey } from '@forecourt/testing/system';
import { Redis } from 'ioredis';
import { untilAtRest } from '../../chaos/until-at-rest.js';
import { countingBudget } from '../../support/sponsor-wealth.js';
import { startTestSystem } from '../../support/start-test-system.js';
import type { TestSystem } from '../../support/test-system.js';

/** A process that keeps everything it receives exceeds this limit. */
const HEAP_LIMIT_MIB = 512;
/**
 * The devnet keeps all executed transactions in memory. A major collection of that heap blocks every answer
 * for a third of a second. Real nodes have no such pauses, so the limit avoids major collections.
 */
const DEVNET_HEAP_MIB = 4_096;
/** Funds of each sponsor but the first, which fill its pool. */
const FURTHER_FUNDS = 10_000_000_000_000;
const FILL_MS = 60_000;

export interface AttackedSystem {
  readonly system: TestSystem;
  readonly sponsors: readonly string[];
  /** The coins of all pools. */
  readonly totals: () => Promise<{ readonly coins: Readonly<Record<CoinState, bigint>> }>;
  /** Caller's name → its token. The system counts everything that callers spend. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Of each pool. */
  readonly poolCoins: number;
  stop(): Promise<void>;
}

/** A caller with a token. */
interface Caller {
  readonly name: string;
  readonly tokenLines?: readonly string[];
  /** May say which sponsor pays; for others the first one does. */
  readonly choosesSponsors?: boolean;
}

export interface AttackedSystemOptions {
  /**
   * Each caller gets a token with an effectively unlimited budget, and these further lines in the file of
   * tokens.
   */
  readonly callers: readonly Caller[];
  /** Of each pool. */
  readonly poolCoins: number;
  /** Default 1. */
  readonly sponsors?: number;
  readonly events?: number;
  readonly history?: boolean;
  readonly eventIndex?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  /** Access rules; absent: everything is allowed. */
  readonly rules?: string;
}

/** Starts a whole system that counts the spending of callers by token. */
export async function startAttackedSystem(options: AttackedSystemOptions): Promise<AttackedSystem> {
  const { callers, poolCoins } = options;
  const keys = Array.from({ length: options.sponsors ?? 1 }, () => createSponsorKey());
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-attacks-'));
  const file = join(folder, 'tokens.yaml');
  const tokens = Object.fromEntries(
    callers.map(({ name }) => [name, randomBytes(24).toString('base64url')]),
  );
  const sponsors = keys.map(({ address }) => address);
  const entries = callers.map(({ name, tokenLines = [], choosesSponsors = false }) => {
    const hash = createHash('sha256').update(tokens[name]!).digest('hex');
    const lines = [`- name: ${name}`, `hash: ${hash}`, 'role: sponsor', countingBudget()];
    if (choosesSponsors) lines.push(`sponsors: [${sponsors.map((one) => `'${one}'`).join(', ')}]`);
    return [...lines, ...tokenLines].join('\n    ');
  });
  writeFileSync(file, `tokens:\n  ${entries.join('\n  ')}\n`);
  const rulesFile = join(folder, 'rules.yaml');
  if (options.rules !== undefined) writeFileSync(rulesFile, options.rules);
  const forget = () => rmSync(folder, { recursive: true, force: true });
  try {
    const system = await startTestSystem({
      sponsor: keys[0]!,
      sponsorSecrets: keys.map(({ secret }) => secret),
      events: options.events ?? 0,
      history: options.history ?? false,
      eventIndex: options.eventIndex ?? false,
      devnetNodeOptions: [`--initial-old-space-size=${DEVNET_HEAP_MIB}`],
      env: {
        TOKENS_FILE: file,
        ...(options.rules !== undefined && { ACCESS_RULES_FILE: rulesFile }),
        POOL_TARGET_COINS: String(poolCoins),
        POOL_MIN_COINS: String(Math.floor(poolCoins / 2)),
        // The default of the services.
        POOL_MIN_FREE_SHARE: '20',
        RESERVE_MAX_POOL_SHARE: '50',
        QUARANTINE_MAX: '20',
        NODE_OPTIONS: `--max-old-space-size=${HEAP_LIMIT_MIB}`,
        ...options.env,
      },
    });
    const redis = prepareCoinStore(new Redis(system.redisUrl));
    const stop = async () => {
      redis.disconnect();
      await system.stop();
      forget();
    };
    const totals = async () => {
      const pools = await Promise.all(sponsors.map((one) => readPoolTotals(redis, one)));
      const sums = coinStates.map((state) => [
        state,
        pools.reduce((sum, { coins }) => sum + coins[state], 0n),
      ]);
      return { coins: Object.fromEntries(sums) as Record<CoinState, bigint> };
    };
    for (const sponsor of sponsors.slice(1)) await system.control.mint(sponsor, FURTHER_FUNDS);
    // One pool may have its coins while the last splits of another are in progress.
    const full = sponsors.length * poolCoins;
    const { control } = system;
    const filled = await untilAtRest({ totals, control }, full, performance.now() + FILL_MS);
    if (!filled.atRest) {
      await stop();
      throw new Error(`the pools are not filled: ${filled.held}`);
    }
    // Callers read the sponsors' wealth at the node, which lags behind.
    await control.untilShown();
    return { system, sponsors, totals, tokens, poolCoins, stop };
  } catch (error) {
    forget();
    throw error;
  }
}
