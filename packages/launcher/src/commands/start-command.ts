import { join } from 'node:path';
import { Failure, readOptions, startedAt } from '../workspace/command.js';
import { requireFreePorts } from '../workspace/free-ports.js';
import { loadConfigFile } from '../workspace/load-config-file.js';
import { prepare } from '../workspace/prepare.js';
import { runProgram } from '../workspace/run-program.js';
import {
  CALLER_FOLDER,
  chooseNode,
  environment,
  IS_CLONE,
  ROOT,
  toolEnvironment,
} from '../workspace/workspace-config.js';

const HELP = `npm start -- [options]
npx forecourt start [options]

Starts everything, sponsors one transaction, and keeps running until Ctrl-C.

  --once                stop after the transaction; the last line on standard output is JSON
  --processes separate  each service in a process, as in deployments, which is started again when it ends; by default one
                        process runs all services
  --executors <n>       so many processes of the executor, up to 16; needs --processes separate
  --ledger grpc         the services use the local devnet over gRPC instead of JSON-RPC
  --config <file>       variables from a file with lines NAME=value; those of the environment come first
  --help                this text

Variables: REDIS_URL, DATABASE_URL, LEDGER_URL, SPONSOR_KEYS, FAUCET_URL, GAS_STATION_AUTH, FLEET_SECRET, FORECOURT_REDIS_PORT,
FORECOURT_POSTGRES_PORT, and every variable of the services (see docs/configuration.md).`;

const BUILT = join(ROOT, 'packages', 'launcher', 'dist');
const MAIN = IS_CLONE ? join(BUILT, 'start', 'main.js') : join(BUILT, 'bundle', 'start.js');

/** `replacedBy`: the variable that names a system with which nothing listens on this port. */
const LISTENERS = [
  { variable: 'GATEWAY_PORT', port: 9527 },
  { variable: 'GATEWAY_COMPATIBILITY_PORT', port: 9528 },
  { variable: 'GATEWAY_METRICS_PORT', port: 9184 },
  { variable: 'COIN_POOL_PORT', port: 9531 },
  { variable: 'COIN_POOL_HEALTH_PORT', port: 9532 },
  { variable: 'EXECUTOR_HEALTH_PORT', port: 9541 },
  { variable: 'EVENTS_PORT', port: 9551 },
  { variable: 'HISTORY_PORT', port: 9561 },
  { variable: 'HISTORY_HEALTH_PORT', port: 9562 },
  { variable: 'DEVNET_RPC_PORT', port: 9000, replacedBy: 'LEDGER_URL' },
  { variable: 'DEVNET_FAUCET_PORT', port: 9123, replacedBy: 'LEDGER_URL' },
  { variable: 'FORECOURT_REDIS_PORT', port: 9379, replacedBy: 'REDIS_URL' },
  { variable: 'FORECOURT_POSTGRES_PORT', port: 9432, replacedBy: 'DATABASE_URL' },
];

const GRPC_LISTENER = { variable: 'DEVNET_GRPC_PORT', port: 50_051, replacedBy: 'LEDGER_URL' };

/** `npm start`: builds everything and starts a whole system. */
export async function startCommand(args: string[]): Promise<number> {
  const options = readOptions(
    HELP,
    {
      once: { type: 'boolean', default: false },
      processes: { type: 'string', default: 'one' },
      executors: { type: 'string', default: '1' },
      ledger: { type: 'string', default: 'json-rpc' },
      config: { type: 'string' },
    },
    args,
  );
  if (options === null) return 0;
  const { processes, executors, ledger, config } = options;
  if (config !== undefined) loadConfigFile(config);
  if (processes !== 'one' && processes !== 'separate') {
    throw new Failure(`--processes must be one or separate, not ${processes}`);
  }
  if (!/^(?:[1-9]|1[0-6])$/.test(executors)) {
    throw new Failure(`--executors must be a number from 1 to 16, not ${executors}`);
  }
  if (executors !== '1' && processes === 'one') {
    throw new Failure(`--executors ${executors} needs --processes separate`);
  }
  if (ledger !== 'json-rpc' && ledger !== 'grpc') {
    throw new Failure('--ledger must be json-rpc or grpc');
  }
  if (ledger === 'grpc' && environment['LEDGER_URL']) {
    throw new Failure('--ledger is for the local devnet: LEDGER_URL names its dialect (grpc://…)');
  }
  const listeners = ledger === 'grpc' ? [...LISTENERS, GRPC_LISTENER] : LISTENERS;
  await requireFreePorts(
    listeners.filter(({ replacedBy }) => replacedBy === undefined || !environment[replacedBy]),
  );
  await prepare({ redis: !environment['REDIS_URL'] });
  // In a session that Ctrl-C does not reach: the signal then reaches the services through the launcher, in
  // order. When this process ends, so does the pipe on the standard input of that one.
  const flags = [
    `--ledger=${ledger}`,
    `--processes=${processes}`,
    `--executors=${executors}`,
    ...(options.once ? ['--once'] : []),
  ];
  const { code } = await runProgram(chooseNode(), ['--enable-source-maps', MAIN, ...flags], {
    cwd: IS_CLONE ? ROOT : CALLER_FOLDER,
    detached: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...toolEnvironment(), FORECOURT_STARTED_AT: String(startedAt) },
  });
  return code;
}
