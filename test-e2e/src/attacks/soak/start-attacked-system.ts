import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countingBudget } from '../../sponsor-wealth.js';
import { startTestSystem, type TestSystem } from '../../test-system.js';

/** A process that keeps what it is sent runs into this. */
const HEAP_LIMIT_MIB = 512;
/**
 * The devnet keeps all it ever executed in memory. A major collection of that takes a third of a second in which nobody is
 * answered; no node has such pauses, so it has none before its heap is this large.
 */
const DEVNET_HEAP_MIB = 4_096;

export interface AttackedSystem {
  readonly system: TestSystem;
  /** Caller's name → its token. All that they spend is counted. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly poolCoins: number;
  stop(): Promise<void>;
}

/** Somebody with a token. */
export interface Caller {
  readonly name: string;
  readonly tokenLines?: readonly string[];
}

export interface AttackedSystemOptions {
  /**
   * Each gets a token with a budget that refuses nothing, and the further lines in the file of tokens that are given
   * here.
   */
  readonly callers: readonly Caller[];
  readonly poolCoins: number;
  readonly events?: number;
  readonly env?: NodeJS.ProcessEnv;
  /** Access rules; absent: everything is allowed. */
  readonly rules?: string;
}

/** Starts a whole system in which everything that callers spend is counted by token. */
export async function startAttackedSystem(options: AttackedSystemOptions): Promise<AttackedSystem> {
  const { callers, poolCoins } = options;
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-attacks-'));
  const file = join(folder, 'tokens.yaml');
  const tokens = Object.fromEntries(
    callers.map(({ name }) => [name, randomBytes(24).toString('base64url')]),
  );
  const entries = callers.map(({ name, tokenLines = [] }) => {
    const hash = createHash('sha256').update(tokens[name]!).digest('hex');
    const lines = [`- name: ${name}`, `hash: ${hash}`, 'role: sponsor', countingBudget()];
    return [...lines, ...tokenLines].join('\n    ');
  });
  writeFileSync(file, `tokens:\n  ${entries.join('\n  ')}\n`);
  const rulesFile = join(folder, 'rules.yaml');
  if (options.rules !== undefined) writeFileSync(rulesFile, options.rules);
  const forget = () => rmSync(folder, { recursive: true, force: true });
  try {
    const system = await startTestSystem({
      events: options.events ?? 0,
      devnetNodeOptions: [`--initial-old-space-size=${DEVNET_HEAP_MIB}`],
      env: {
        TOKENS_FILE: file,
        ...(options.rules !== undefined && { ACCESS_RULES_FILE: rulesFile }),
        POOL_TARGET_COINS: String(poolCoins),
        POOL_MIN_COINS: String(Math.floor(poolCoins / 2)),
        // As services have them by default.
        POOL_MIN_FREE_SHARE: '20',
        RESERVE_MAX_POOL_SHARE: '50',
        QUARANTINE_MAX: '20',
        NODE_OPTIONS: `--max-old-space-size=${HEAP_LIMIT_MIB}`,
        ...options.env,
      },
    });
    const stop = async () => {
      await system.stop();
      forget();
    };
    return { system, tokens, poolCoins, stop };
  } catch (error) {
    forget();
    throw error;
  }
}
