import { Command, Option } from 'commander';
import { Failure } from '../workspace/failure.js';
import { requireFreePorts } from '../workspace/free-ports.js';
import { loadConfigFile } from '../workspace/load-config-file.js';
import { prepare } from '../workspace/prepare.js';
import { runProgram } from '../workspace/run-program.js';
import { startedAt } from '../workspace/say.js';
import {
  chooseNode,
  environment,
  FORECOURT,
  IS_CLONE,
  ROOT,
  toolEnvironment,
} from '../workspace/workspace-config.js';

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

interface StartOptions {
  readonly once?: boolean;
  readonly processes: 'one' | 'separate';
  readonly executors: string;
  readonly ledger: 'json-rpc' | 'grpc';
  readonly config?: string;
}

/** `start`: builds everything and starts a whole system. */
export function startCommand(): Command {
  return new Command('start')
    .option('--once', 'stop after the transaction; the last line on standard output is JSON')
    .addOption(
      new Option(
        '--processes <how>',
        'one process runs all services, or each has its own, as in deployments, which is started again when it ends',
      )
        .choices(['one', 'separate'])
        .default('one'),
    )
    .option(
      '--executors <n>',
      'so many processes of the executor, up to 16; needs --processes separate',
      '1',
    )
    .addOption(
      new Option('--ledger <dialect>', 'how the services use the local devnet')
        .choices(['json-rpc', 'grpc'])
        .default('json-rpc'),
    )
    .option(
      '--config <file>',
      'variables from a file with lines NAME=value; those of the environment come first',
    )
    .addHelpText(
      'after',
      `
Starts everything, sponsors one transaction, and keeps running until Ctrl-C.

Variables: REDIS_URL, DATABASE_URL, LEDGER_URL, SPONSOR_KEYS, FAUCET_URL, GAS_STATION_AUTH, FLEET_SECRET, FORECOURT_REDIS_PORT,
FORECOURT_POSTGRES_PORT, and every variable of the services (see docs/configuration.md).`,
    )
    .action(start);
}

async function start(options: StartOptions): Promise<void> {
  const { once = false, processes, executors, ledger, config } = options;
  if (config !== undefined) loadConfigFile(config);
  if (!/^(?:[1-9]|1[0-6])$/.test(executors)) {
    throw new Failure(`--executors must be a number from 1 to 16, not ${executors}`);
  }
  if (executors !== '1' && processes === 'one') {
    throw new Failure(`--executors ${executors} needs --processes separate`);
  }
  if (ledger === 'grpc' && environment['LEDGER_URL']) {
    throw new Failure('--ledger is for the local devnet: LEDGER_URL names its dialect (grpc://…)');
  }
  const listeners = ledger === 'grpc' ? [...LISTENERS, GRPC_LISTENER] : LISTENERS;
  await requireFreePorts(
    listeners.filter(({ replacedBy }) => replacedBy === undefined || !environment[replacedBy]),
  );
  await prepare({ redis: !environment['REDIS_URL'] });
  // In a session that Ctrl-C does not reach: the signal then reaches the services through the
  // process that has started them, in order. When this process ends, so does the pipe on its standard input.
  const flags = [
    `--ledger=${ledger}`,
    `--processes=${processes}`,
    `--executors=${executors}`,
    ...(once ? ['--once'] : []),
  ];
  const { code } = await runProgram(chooseNode(), ['--enable-source-maps', FORECOURT, ...flags], {
    ...(IS_CLONE && { cwd: ROOT }),
    detached: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { ...toolEnvironment(), FORECOURT_STARTED_AT: String(startedAt) },
  });
  process.exitCode = code;
}
