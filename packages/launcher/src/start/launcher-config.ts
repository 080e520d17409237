import { readFileSync } from 'node:fs';
import { createSecret } from './keep-secret.js';

/** What `npm start` takes from its environment. */
export interface LauncherConfig {
  readonly once: boolean;
  /** When the command was given, ms since the epoch. */
  readonly startedAt: number;
  readonly redisUrl: string | undefined;
  readonly ledgerUrl: string | undefined;
  readonly faucetUrl: string | undefined;
  /** Keys given by the user, first one first; absent: one that is made and kept. */
  readonly sponsorKeys: readonly string[] | undefined;
  /** Where they are, if in a file, which the services watch. */
  readonly sponsorKeysFile: string | undefined;
  readonly tokens: readonly string[];
  /** One secret, or several separated by commas; absent: one that is made and kept. */
  readonly fleetSecret: string;
  /** Handed on to the services. */
  readonly env: NodeJS.ProcessEnv;
}

export function readLauncherConfig(
  args: readonly string[],
  files: { readonly token: string; readonly fleetSecret: string },
  env: NodeJS.ProcessEnv = process.env,
): LauncherConfig {
  const list = (name: string) => {
    const file = env[`${name}_FILE`];
    const text = env[name] || (file ? readFileSync(file, 'utf8') : '');
    const parts = text.split(/[,\s]+/).filter(Boolean);
    return parts.length > 0 ? parts : undefined;
  };
  return {
    once: args.includes('--once'),
    startedAt: Number(env['FORECOURT_STARTED_AT'] ?? Date.now()),
    redisUrl: env['REDIS_URL'] || undefined,
    ledgerUrl: env['LEDGER_URL'] || undefined,
    faucetUrl: env['FAUCET_URL'] || undefined,
    sponsorKeys: list('SPONSOR_KEYS'),
    sponsorKeysFile: env['SPONSOR_KEYS'] ? undefined : env['SPONSOR_KEYS_FILE'] || undefined,
    tokens: list('GAS_STATION_AUTH') ?? [createSecret(files.token)],
    fleetSecret: list('FLEET_SECRET')?.join(',') ?? createSecret(files.fleetSecret),
    env: withoutFiles(env),
  };
}

/** The launcher has read these files; a service that saw both name and file would have to choose. */
function withoutFiles(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const drop = ['SPONSOR_KEYS_FILE', 'GAS_STATION_AUTH_FILE', 'FLEET_SECRET_FILE', 'NODE_OPTIONS'];
  return Object.fromEntries(Object.entries(env).filter(([name]) => !drop.includes(name)));
}
