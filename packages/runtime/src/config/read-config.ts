import { readFileSync } from 'node:fs';
import type { Variable } from './variable.js';

/** A table of variables: the service's name for each → the variable. */
export type Variables = Readonly<Record<string, Variable<unknown>>>;

/** The values of a table, read-only. */
export type ConfigOf<T extends Variables> = {
  readonly [Name in keyof T]: T[Name] extends Variable<infer Value> ? Value : never;
};

export type Environment = Readonly<Record<string, string | undefined>>;

/** An invalid configuration: every problem, with the name of its variable. Never contains a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(`Invalid configuration:\n${problems.map((one) => `  - ${one}`).join('\n')}`);
  }
}

/**
 * Reads a table of variables once. `check` reports problems between values. Throws `ConfigError` with all problems
 * at once, so that a service never listens with a partly valid configuration.
 */
export function readConfig<const T extends Variables>(
  variables: T,
  environment: Environment,
  check: (config: ConfigOf<T>) => readonly string[] = () => [],
): ConfigOf<T> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, variable] of Object.entries(variables)) {
    try {
      values[key] = readVariable(variable, environment);
    } catch (error) {
      problems.push(`${variable.name} ${(error as Error).message}`);
    }
  }
  const config = Object.freeze(values) as ConfigOf<T>;
  if (problems.length === 0) problems.push(...check(config));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function readVariable<T>(variable: Variable<T>, environment: Environment): T | undefined {
  const text = readText(variable, environment);
  if (text === '') {
    if (variable.required) throw new Error(`is not set: ${variable.description}`);
    return variable.absent;
  }
  try {
    return variable.parse(text);
  } catch (error) {
    const arrived = variable.secret ? '' : `, not ${JSON.stringify(text)}`;
    throw new Error(`${(error as Error).message}${arrived}`, { cause: error });
  }
}

function readText(variable: Variable<unknown>, environment: Environment): string {
  const { name, formerName } = variable;
  if (name === '') return '';
  const given = environment[name] || (formerName && environment[formerName]);
  const text = given?.trim() ?? '';
  const file = environment[`${name}_FILE`]?.trim() ?? '';
  if (!variable.secret || file === '') return text;
  if (text !== '') throw new Error(`and ${name}_FILE are both set; set one`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new Error(`cannot be read from the file that ${name}_FILE names, ${file}`, {
      cause,
    });
  }
}

/** A row of the configuration table in the documentation. */
export interface VariableRow {
  readonly name: string;
  readonly kind: string;
  readonly default: string;
  readonly description: string;
  /** Never shown; a file can supply it. */
  readonly secret: boolean;
}

/** The rows of a table of variables, in the order of their definition. */
export function describeVariables(variables: Variables): VariableRow[] {
  return Object.values(variables).flatMap((variable) => {
    const { name, secret, kind, defaultText, required, formerName, description } = variable;
    if (name === '' || variable.isDescribed === false) return [];
    return {
      name: secret ? `${name}, ${name}_FILE` : name,
      kind,
      default: defaultText ?? (required ? 'required' : 'none'),
      description: formerName
        ? `${description} (formerly \`${formerName}\`, which is still read)`
        : description,
      secret,
    };
  });
}

/** Variables of earlier releases that have no effect any more, with what applies instead. */
const removedVariables: Readonly<Record<string, string>> = {
  BARE_TEXT_ANSWERS: 'clients get bare text with `Accept: text/plain`',
  BODY_LIMIT_BYTES: 'the limit is 1 MiB',
  COIN_POOL_TIMEOUT_MS: 'the time limit is 5 s',
  DEVNET_BODY_LIMIT_BYTES: 'the limit is 10 MiB',
  DEVNET_FAUCET_AMOUNT: 'each coin has 10000000000',
  DEVNET_FAUCET_COINS: 'a request gets 5 coins',
  DEVNET_HOST: 'LISTEN_HOST applies',
  DEVNET_KEPT_EVENTS: 'a million events are kept in memory',
  DEVNET_LATENCY_MS: 'a fault `latency` at the control port delays responses',
  DEVNET_NODE_HEADERS: '`POST /node` at the control port sets required headers',
  DEVNET_NODE_VERSION: '`POST /node` at the control port sets the version',
  DEVNET_REFERENCE_GAS_PRICE: 'the price is 1000',
  EVENTS_BODY_LIMIT_BYTES: 'the limit is 1 MiB',
  EVENTS_DATABASE_CONNECTIONS: 'DATABASE_CONNECTIONS applies',
  EVENTS_INDEX: 'there is an index where EVENTS_DATABASE_URL is set',
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
  EVENTS_MAX_SUBSCRIPTIONS_PER_CONNECTION: 'the limit is 1024',
  EVENTS_MEMORY_BUDGET_BYTES: 'the limit is a third of the heap limit (--max-old-space-size)',
  EVENTS_TIMEOUT_MS: 'the time limit is 60 s',
  MAX_DRY_RUNS_AT_ONCE: 'the limit is 64',
  MAX_GAS_PRICE_RATIO: 'the limit is 5 unless an access rule allows more',
  MAX_RESERVE_DURATION_SECS: 'the limit is 600 s',
  MAX_RPC_REQUESTS: 'the limit is 1024',
  MAX_RPC_SOCKETS: 'the limit is 20000',
  MAX_STREAMS: 'the limit is 500',
  POOL_FOLD_AT: 'dust is consolidated at 50 coins',
  POOL_SPLIT_CONCURRENCY: 'the limit is 8',
  QUARANTINE_WINDOW_SECS: 'the window is ten minutes unless a token has its own',
  REQUEST_TIMEOUT_MS: 'the time limit is 30 s',
  REQUEUE_AFTER_MS: 'CLAIM_LEASE_MS applies',
  RESERVE_MAX_BUDGET: 'the limit is 1000000000000 unless a token has its own (`reserve`)',
  WATCH_ACCESS_FILES: 'tokens and rules are reloaded when a file changes',
};

/** One line for each removed variable that is still set: a service starts anyway. */
export function warningsOfRemoved(environment: Environment = process.env): string[] {
  return Object.entries(removedVariables)
    .filter(([name]) => (environment[name] ?? '') !== '')
    .map(([name, instead]) => `${name} is set but has no effect any more: ${instead}`);
}
