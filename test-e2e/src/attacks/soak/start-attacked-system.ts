import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countingBudget } from '../../sponsor-wealth.js';
import { startTestSystem, type TestSystem } from '../../test-system.js';

/** A process that keeps everything it receives exceeds this limit. */
const HEAP_LIMIT_MIB = 512;
/**
 * The devnet keeps all executed transactions in memory. A major collection of that heap blocks every answer for a third
 * of a second. Real nodes have no such pauses, so the limit avoids major collections.
 */
const DEVNET_HEAP_MIB = 4_096;

export interface AttackedSystem {
  readonly system: TestSystem;
  /** Caller's name → its token. The system counts everything that callers spend. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly poolCoins: number;
  stop(): Promise<void>;
}

/** A caller with a token. */
export interface Caller {
  readonly name: string;
  readonly tokenLines?: readonly string[];
}

export interface AttackedSystemOptions {
  /** Each caller gets a token with an effectively unlimited budget, and these further lines in the file of tokens. */
  readonly callers: readonly Caller[];
  readonly poolCoins: number;
  readonly events?: number;
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts a whole system that counts the spending of callers by token. */
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
  const forget = () => rmSync(folder, { recursive: true, force: true });
  try {
    const system = await startTestSystem({
      events: options.events ?? 0,
      devnetNodeOptions: [`--initial-old-space-size=${DEVNET_HEAP_MIB}`],
      env: {
        TOKENS_FILE: file,
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
