import type { Environment } from './read-config.js';

/** Variables of earlier releases that have no effect any more, with what applies instead. */
export const removedVariables: Readonly<Record<string, string>> = {
  BARE_TEXT_ANSWERS: 'clients get bare text with `Accept: text/plain`',
  BODY_LIMIT_BYTES: 'the limit is 1 MiB',
  COIN_POOL_TIMEOUT_MS: 'the time limit is 5 s',
  DEVNET_BODY_LIMIT_BYTES: 'the limit is 10 MiB',
  DEVNET_FAUCET_COINS: 'a request gets 5 coins',
  DEVNET_KEPT_EVENTS: 'a million events are kept in memory',
  DEVNET_REFERENCE_GAS_PRICE: 'the price is 1000',
  EVENTS_BODY_LIMIT_BYTES: 'the limit is 1 MiB',
  EVENTS_LEGACY_PREFIX: 'the prefix is `ledger`',
  EVENTS_MAX_ANSWER_BYTES: 'the limit is 16 MiB',
  EVENTS_MAX_BATCH: 'the limit is 50',
  EVENTS_MAX_FIELD_PATHS_IN_ALL: 'the limit is 4096',
  EVENTS_MAX_FIELD_PATHS_PER_CONNECTION: 'the limit is 128',
  EVENTS_MAX_FILTER_BYTES: 'the limit is 512 KiB',
  EVENTS_MAX_FILTER_BYTES_IN_ALL: 'the limit is 256 MiB',
  EVENTS_MAX_FILTER_BYTES_PER_CONNECTION: 'the limit is 4 MiB',
  EVENTS_MAX_FILTER_DEPTH: 'the limit is 16',
  EVENTS_MAX_FILTER_SIZE: 'the limit is 1000',
  EVENTS_MAX_NODE_CALLS: 'the limit is 8, or 2 where events come from LEDGER_URL',
  EVENTS_MAX_PENDING_CALLS: 'the limit is 32',
  EVENTS_MAX_PENDING_CALLS_IN_ALL: 'the limit is 8192',
  EVENTS_MEMORY_BUDGET_BYTES: 'the limit is a third of the heap limit (--max-old-space-size)',
  EVENTS_TIMEOUT_MS: 'the time limit is 60 s',
  MAX_DRY_RUNS_AT_ONCE: 'the limit is 64',
  MAX_GAS_PRICE_RATIO: 'the limit is 5 unless an access rule allows more',
  MAX_RPC_REQUESTS: 'the limit is 1024',
  MAX_RPC_SOCKETS: 'the limit is 20000',
  POOL_FOLD_AT: 'dust is consolidated at 50 coins',
  POOL_SPLIT_CONCURRENCY: 'the limit is 8',
  QUARANTINE_WINDOW_SECS: 'the window is ten minutes unless a token has its own',
  REQUEUE_AFTER_MS: 'CLAIM_LEASE_MS applies',
  RESERVE_MAX_BUDGET: 'the limit is 1000000000000 unless a token has its own (`reserve`)',
};

/** One line for each removed variable that is still set: a service starts anyway. */
export function warningsOfRemoved(environment: Environment): string[] {
  return Object.entries(removedVariables)
    .filter(([name]) => (environment[name] ?? '') !== '')
    .map(([name, instead]) => `${name} is set but has no effect any more: ${instead}`);
}
