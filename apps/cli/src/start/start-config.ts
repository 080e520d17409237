import { readFileSync, existsSync, mkdirSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { randomBytes } from 'node:crypto';
import { writeSecret } from '@forecourt/resilience/files';
import {
  ledgerVariables,
  parseDatabaseUrl,
  readConfig,
  redisVariables,
  variable,
} from '@forecourt/runtime/config';
import { DATA_FOLDER } from '../workspace/workspace-config.js';

/** The settings of `npm start` from its environment. */
export interface StartConfig {
  readonly once: boolean;
  /** Whether the services run in one process, or in one each. */
  readonly processes: 'one' | 'separate';
  /** Processes of the executor. */
  readonly executors: number;
  /** When the command was given, ms since the epoch. */
  readonly startedAt: number;
  /** Where keys, logs and Redis data are kept; a test has its own, beside a system that is running. */
  readonly dataFolder: string;
  readonly redisUrl: string | undefined;
  readonly databaseUrl: string | undefined;
  readonly ledgerUrl: string | undefined;
  /** How the services use the local devnet. */
  readonly dialect: 'json-rpc' | 'grpc';
  readonly faucetUrl: string | undefined;
  /** Keys given by the user, in their order; undefined: one is generated and kept. */
  readonly sponsorKeys: readonly string[] | undefined;
  /** The file of these keys, if they are in one; the services watch it. */
  readonly sponsorKeysFile: string | undefined;
  readonly tokens: readonly string[];
  /** One secret, or several separated by commas; by default one that is generated and kept. */
  readonly fleetSecret: string;
  /** Passed on to the services. */
  readonly env: NodeJS.ProcessEnv;
}

/** Those that the command uses before a service reads them. */
const urlVariables = {
  redis: redisVariables.redisUrls,
  ledger: ledgerVariables.ledgerUrls,
  database: variable.optionalSecretParsed('DATABASE_URL', {
    kind: 'URL',
    absent: '',
    parse: parseDatabaseUrl,
    description: '',
  }),
  faucet: variable.optionalUrl('FAUCET_URL', { protocols: ['http:', 'https:'], description: '' }),
};

/** Throws `ConfigError` for an address that nothing can be reached at, before anything is started. */
export function readStartConfig(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): StartConfig {
  readConfig(urlVariables, env);
  const dataFolder = env['FORECOURT_DATA'] || DATA_FOLDER;
  const text = (name: string) => {
    const file = env[`${name}_FILE`];
    return (env[name] || (file ? readFileSync(file, 'utf8') : '')).trim();
  };
  const list = (name: string) => {
    const parts = text(name)
      .split(/[,\s]+/)
      .filter(Boolean);
    return parts.length > 0 ? parts : undefined;
  };
  return {
    once: args.includes('--once'),
    processes: args.includes('--processes=separate') ? 'separate' : 'one',
    executors: Number(args.find((one) => one.startsWith('--executors='))?.split('=')[1] ?? 1),
    startedAt: Number(env['FORECOURT_STARTED_AT'] ?? Date.now()),
    dataFolder,
    redisUrl: env['REDIS_URL'] || undefined,
    databaseUrl: text('DATABASE_URL') || undefined,
    ledgerUrl: env['LEDGER_URL'] || undefined,
    dialect: args.includes('--ledger=grpc') ? 'grpc' : 'json-rpc',
    faucetUrl: env['FAUCET_URL'] || undefined,
    sponsorKeys: list('SPONSOR_KEYS'),
    sponsorKeysFile: env['SPONSOR_KEYS'] ? undefined : env['SPONSOR_KEYS_FILE'] || undefined,
    tokens: list('GAS_STATION_AUTH') ?? [loadOrCreateSecret(join(dataFolder, 'token'))],
    fleetSecret:
      list('FLEET_SECRET')?.join(',') ?? loadOrCreateSecret(join(dataFolder, 'fleet-secret')),
    env: withoutReplaced(env),
  };
}

/** These name databases of another ledger than the local one, which gets its own. */
const EVENTS_DATABASES = ['EVENTS_DATABASE_URL', 'EVENTS_DATABASE_READ_URL'];

/**
 * The command has read these variables and files; a service that saw both name and file would have to
 * choose.
 */
function withoutReplaced(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const drop = [
    'SPONSOR_KEYS_FILE',
    'GAS_STATION_AUTH_FILE',
    'FLEET_SECRET_FILE',
    'DATABASE_URL',
    'DATABASE_URL_FILE',
    'NODE_OPTIONS',
    ...(env['LEDGER_URL'] ? [] : EVENTS_DATABASES.flatMap((name) => [name, `${name}_FILE`])),
  ];
  return Object.fromEntries(Object.entries(env).filter(([name]) => !drop.includes(name)));
}

/** A random secret in a file that only its owner can read; generated at the first use. */
export function loadOrCreateSecret(file: string): string {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true });
    writeSecret(file, `${randomBytes(32).toString('base64url')}\n`);
  }
  return readFileSync(file, 'utf8').trim();
}
