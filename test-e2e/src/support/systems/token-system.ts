import { tokenEntry, tokensFile } from '../tokens-file.js';
import { useSharedSystem } from '../use-system.js';
import { userKeysEntry } from '../user-token.js';

/** Coins that one user may hold at once, by default. */
export const USERS_COINS = 4;
/** Dry runs of one caller in a minute, at each gateway. */
export const MAX_DRY_RUNS = 10;
export const COINS = 60;
/** Percentage of the pool that one caller may reserve. */
export const SHARE = 50;
/** Executions of one caller that may be refused in a minute. */
export const MAX_REFUSED = 6;

const RULES = `access-controller:
  access-policy: allow-all
  rules:
    - token: guest
      action: deny
  rule-sets:
    strict: { access-policy: deny-all }
`;

/** The entries of the system's file of tokens. */
export const TOKENS = [
  tokenEntry('shop', ['role: sponsor']),
  tokenEntry('admin', ['role: operator']),
  tokenEntry('auditor', ['role: auditor']),
  tokenEntry('late', ['role: sponsor', 'expires: 2026-01-01']),
  tokenEntry('guest', ['role: sponsor']),
  tokenEntry('strict', ['role: sponsor', 'rule-set: strict']),
  tokenEntry('fast', ['role: sponsor', 'rate-limit: { requests: 3, window: 1 hour }']),
  tokenEntry('frugal', ['role: sponsor', 'reserve: { coins: 2, budget: 1 IOTA }']),
  tokenEntry('greedy', ['role: sponsor', 'reserve: { coins-per-minute: 2 }']),
  tokenEntry('endless', ['role: sponsor', 'reserve: { unused-per-minute: 3 }']),
  tokenEntry('poor', ['role: sponsor', 'budget: { value: 10_100_000, window: 1 day }']),
  userKeysEntry('shop-users'),
  tokenEntry('curious', ['role: sponsor']),
  tokenEntry('flooder', ['role: sponsor']),
  tokenEntry('hoarder', ['role: sponsor']),
].join('\n');

/** A system with several callers, each with a separate token. */
export const system = useSharedSystem('tokens', (files) => ({
  gateways: 2,
  env: {
    TOKENS_FILE: files.write('tokens.yaml', tokensFile(TOKENS)),
    ACCESS_RULES_FILE: files.write('rules.yaml', RULES),
    POOL_TARGET_COINS: String(COINS),
    RESERVE_MAX_POOL_SHARE: String(SHARE),
    MAX_REFUSED_EXECUTIONS_PER_MINUTE: String(MAX_REFUSED),
    MAX_DRY_RUNS_PER_MINUTE: String(MAX_DRY_RUNS),
  },
}));
