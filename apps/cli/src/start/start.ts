import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeSecret } from '@forecourt/resilience/files';
import { redisVariables } from '@forecourt/runtime/config';
import {
  fundSponsor,
  loadOrCreateSponsorKeys,
  readSponsorKey,
  type ServiceProcess,
  startSystem,
  type System,
  defaultPorts,
} from '@forecourt/testing/system';
import { chooseDatabase } from './choose-database.js';
import { awaitFirstCoin } from './first-coin.js';
import { connectLedger } from './connect-ledger.js';
import { describeRunning } from './describe-running.js';
import { keepRunning } from './keep-running.js';
import type { StartConfig } from './start-config.js';
import { COMMAND } from '../workspace/workspace-config.js';
import { prepareRedis, vouchForRedis } from './prepare-redis.js';
import { type SampleResult, sponsorSampleTransaction } from './sponsor-sample-transaction.js';

const RUNNING = 'running.json';
/**
 * Holds the Redis URL of an operator, as `npm run forecourt -- redis-users` writes it: the services' users
 * may not read everything.
 */
const OPERATOR_URL = 'operator.url';

/** As on a real network, time goes on while no transaction comes: it decides what a transaction may use. */
const USUAL_DEVNET = { DEVNET_CHECKPOINT_MS: '1000' };

/**
 * Starts the system, sponsors one transaction, and runs until `stop` aborts, or with `once` stops by itself.
 */
export async function start(
  config: StartConfig,
  say: (text: string) => void,
  stop: AbortSignal,
): Promise<void> {
  const system = await startEverything(config, say, stop);
  const stopping = new AbortController();
  const crash = keepServices(system, say, AbortSignal.any([stop, stopping.signal]));
  try {
    const result = await Promise.race([sponsorOne(system, config, say, stop), crash]);
    if (config.once || stop.aborted) {
      if (result !== null) process.stdout.write(`${JSON.stringify(result)}\n`);
      if (result?.status !== 'success') process.exitCode = 1;
      return;
    }
    process.stderr.write(`${describeRunning(system)}\n`);
    await Promise.race([once(stop, 'abort'), crash]);
  } finally {
    stopping.abort();
    say('stopping');
    rmSync(join(config.dataFolder, RUNNING), { force: true });
    rmSync(join(config.dataFolder, OPERATOR_URL), { force: true });
    await system.stopServices(20_000);
    if (system.redis) await vouchForRedis(system.facts.redisUrl);
    await system.stop();
    say('stopped');
  }
}

async function startEverything(
  config: StartConfig,
  say: (text: string) => void,
  stop: AbortSignal,
): Promise<System> {
  const sponsors =
    config.sponsorKeys?.map(readSponsorKey) ?? loadOrCreateSponsorKeys(keyFile(config));
  const sponsorKeysFile = config.sponsorKeys ? config.sponsorKeysFile : keyFile(config);
  const [sponsor] = sponsors;
  const ledger = config.ledgerUrl === undefined ? undefined : connectLedger(config.env);
  if (ledger !== undefined) {
    for (const { address } of sponsors) await fundSponsor(ledger, address, config.faucetUrl);
  }
  const system = await startSystem({
    events: 1,
    ...(await chooseDatabase(config, ledger)),
    processes: config.processes,
    executors: config.executors,
    ports: defaultPorts(config.env),
    tokens: config.tokens,
    env: { ...USUAL_DEVNET, ...config.env },
    ...(config.ledgerUrl === undefined
      ? { dialect: config.dialect }
      : { ledgerUrl: config.ledgerUrl }),
    ...(sponsor === undefined ? {} : { sponsor }),
    sponsorSecrets: sponsors.map(({ secret }) => secret),
    ...(sponsorKeysFile === undefined ? {} : { sponsorKeysFile }),
    signal: stop,
    redis: await prepareRedis(
      config,
      sponsors.map(({ address }) => address),
      ledger,
    ),
    fleetSecret: config.fleetSecret,
    logDir: join(config.dataFolder, 'logs'),
    onProgress: say,
  });
  const audit = system.services('coin-pool')[0]!.options.env;
  const variables = {
    ...auditVariables(audit),
    FORECOURT_URL: system.gatewayUrls[0],
    FORECOURT_TOKEN: system.token,
  };
  writeSecret(join(config.dataFolder, RUNNING), JSON.stringify({ variables }));
  writeSecret(join(config.dataFolder, OPERATOR_URL), system.facts.redisUrl);
  return system;
}

/** The sponsor of devnet has its own key: on other networks, coins may have a value. */
function keyFile({ ledgerUrl, dataFolder }: StartConfig): string {
  return join(dataFolder, ledgerUrl === undefined ? 'devnet-sponsor.key' : 'sponsor.key');
}

/**
 * The sample is a courtesy: null where it fails, after a warning, because everything else may run all the
 * same. Throws its error with `once`, and the reason of `stop`.
 */
async function sponsorOne(
  system: System,
  config: StartConfig,
  say: (text: string) => void,
  stop: AbortSignal,
): Promise<SampleResult | null> {
  try {
    const gateway = { gatewayUrl: system.gatewayUrls[0]!, token: system.token, say, stop };
    await awaitFirstCoin(gateway);
    say('everything is ready');
    return await sponsorSampleTransaction({
      ...gateway,
      ledger: connectLedger({ ...config.env, LEDGER_URL: system.facts.nodeUrl }),
      hasDemoPackage: config.ledgerUrl === undefined,
    });
  } catch (error) {
    if (config.once || stop.aborted) throw error;
    say(
      `WARNING: the sample failed: ${describe(error)}. Everything keeps running; unless access rules refuse it on purpose, see the logs, and let \`${COMMAND} doctor\` examine the node`,
    );
    return null;
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function auditVariables(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = [
    ...Object.values(redisVariables).map(({ name }) => name),
    'LEDGER_URL',
    'LEDGER_READ_URL',
    'LEDGER_HEADERS',
    'LEDGER_HEADERS_FILE',
  ];
  return Object.fromEntries(names.map((name) => [name, env[name]]));
}

/**
 * Starts a service that ends again. Rejects when a process ends without which nothing goes on: the one with
 * all services, or devnet, whose ledger ends with it.
 */
async function keepServices(
  system: System,
  say: (text: string) => void,
  stop: AbortSignal,
): Promise<never> {
  const isEssential = ({ app }: ServiceProcess) => app === 'station' || app === 'devnet';
  for (const service of system.processes) {
    if (!isEssential(service)) void keepRunning(service, { say, stop });
  }
  const ended = await Promise.race(
    system.processes.filter(isEssential).map(async (service) => {
      await service.exited();
      return service;
    }),
  );
  if (stop.aborted) return new Promise<never>(() => {});
  throw new Error(`${ended.name} has ended unexpectedly; its log is ${ended.options.logFile}`);
}
