import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort, inheritedEnvironment, ROOT } from '@forecourt/testing/system';

/** The output of `npm start -- --once`. */
export interface StartResult {
  readonly code: number | null;
  /** The last line on standard output. */
  readonly result: Readonly<Record<string, unknown>>;
  /** The text for human readers. */
  readonly said: string;
}

const PROGRAM = join(ROOT, 'apps', 'cli', 'dist', 'start', 'main.js');
const PORTS = [
  'GATEWAY_PORT',
  'GATEWAY_COMPATIBILITY_PORT',
  'GATEWAY_METRICS_PORT',
  'COIN_POOL_PORT',
  'COIN_POOL_HEALTH_PORT',
  'EXECUTOR_HEALTH_PORT',
  'EVENTS_PORT',
  'HISTORY_PORT',
  'HISTORY_HEALTH_PORT',
  'FORECOURT_POSTGRES_PORT',
  'FORECOURT_REDIS_PORT',
  'DEVNET_RPC_PORT',
  'DEVNET_FAUCET_PORT',
];

/** The text that a user of `npm start` reads when everything is up. */
export interface Started {
  readonly gatewayUrl: string;
  readonly ledgerUrl: string;
  readonly token: string;
  /** The text above. */
  readonly said: string;
  stop(): Promise<void>;
}

/** Starts the system of `npm start` after the build, on free ports and with its data in a folder. */
export async function startUp(dataFolder: string, env: NodeJS.ProcessEnv = {}): Promise<Started> {
  const ports: NodeJS.ProcessEnv = {};
  for (const name of PORTS) ports[name] = String(await freePort());
  const child = spawn(process.execPath, ['--enable-source-maps', PROGRAM], {
    env: { ...inheritedEnvironment(), ...ports, FORECOURT_DATA: dataFolder, ...env },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const ended = once(child, 'close');
  const values: Record<string, string> = {};
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line);
    const [, name, value] = /^ {2}(gateway|devnet|token) +(\S+)$/.exec(line) ?? [];
    if (name !== undefined) values[name] = value!;
    if (values['token'] !== undefined) break;
  }
  child.stderr.resume();
  const { gateway: gatewayUrl, devnet: ledgerUrl = env['LEDGER_URL'], token } = values;
  if (!gatewayUrl || !ledgerUrl || !token) {
    throw new Error(`npm start has not come up:\n${said.join('\n')}`);
  }
  return {
    gatewayUrl,
    ledgerUrl,
    token,
    said: said.join('\n'),
    async stop() {
      child.kill('SIGINT');
      await ended;
    },
  };
}

/** Runs what `npm start -- --once` runs after the build, on free ports and with a new data folder. */
export async function runStart(env: NodeJS.ProcessEnv): Promise<StartResult> {
  const ports: NodeJS.ProcessEnv = {};
  for (const name of PORTS) ports[name] = String(await freePort());
  const child = spawn(process.execPath, ['--enable-source-maps', PROGRAM, '--once'], {
    env: { ...inheritedEnvironment(), ...ports, ...env },
    // A pipe that stays open, because the program ends when its standard input does.
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  let said = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  const last = output.trim().split('\n').at(-1) ?? '';
  const result = last.startsWith('{') ? (JSON.parse(last) as StartResult['result']) : {};
  return { code, result, said };
}
