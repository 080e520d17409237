import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import {
  type App,
  createSponsorKey,
  type Finished,
  inheritedEnvironment,
  freePort,
  readUsersTemplate,
  RedisCredentials,
  runApp,
  ServiceProcess,
  startRedisServer,
  Watchdog,
  ROOT,
} from '@forecourt/testing/system';
import { makeLogFolder } from '../support/make-log-folder.js';
import { APPS } from './app-configurations.js';
import { imageDefaults } from './dockerfile.js';
import type { Manifest } from './manifest.js';
import { readVariant } from './variants.js';
import { withSecretsIn, type Workload, workloadsOf } from './workload.js';

const FUNDS = Array.from({ length: 10 }, () => 1_000_000_000_000n);

/**
 * The variables that set an app's ports: all of them, so that none is left at its default, where `npm start`
 * may listen.
 */
const portVariables = (app: App): readonly string[] =>
  Object.values(APPS[app].variables)
    .map(({ name }) => name)
    .filter((name) => name.endsWith('_PORT'));

/** The system in the manifests of production, as processes of this machine. */
export interface ProductionSystem {
  readonly objects: readonly Manifest[];
  readonly redisUrl: string;
  readonly ledgerUrl: string;
  readonly controlUrl: string;
  readonly sponsor: string;
  readonly token: string;
  readonly workload: (app: string) => Workload;
  /** Starts one replica with the command and the environment of its pod, and waits until it is ready. */
  readonly start: (app: App) => Promise<ServiceProcess>;
  /** Runs the audit like an operator, with the environment of coin-pool. */
  readonly audit: () => Promise<Finished>;
  readonly stop: () => Promise<void>;
}

/**
 * Starts a Redis and the devnet of the variant `local`; the test starts services one by one. Only addresses
 * and ports differ from a cluster, and Secrets are files in a folder.
 */
export async function startProductionSystem(): Promise<ProductionSystem> {
  const folder = makeLogFolder('production');
  const [objects, local] = [readVariant('production'), readVariant('local')];
  const sponsor = createSponsorKey();
  const token = 'token-of-a-test';
  const watchdog = new Watchdog();
  const credentials = new RedisCredentials(readUsersTemplate());
  const redis = await startRedisServer({ users: credentials.aclLines, watchdog });
  const secrets: Readonly<Record<string, string>> = {
    'forecourt-redis/gateway.url': credentials.urlOf('gateway', redis.url),
    'forecourt-redis/coin-pool.url': credentials.urlOf('coin-pool', redis.url),
    'forecourt-redis/executor.url': credentials.urlOf('executor', redis.url),
    'forecourt-sponsor/keys': sponsor.secret,
    'forecourt-tokens/tokens': token,
    'forecourt-fleet/secret': randomBytes(32).toString('base64url'),
  };
  const names = (Object.keys(APPS) as App[]).flatMap(portVariables);
  const ports = new Map<string, number>();
  for (const name of names) ports.set(name, await freePort());
  const addressOf = (name: string) => `127.0.0.1:${ports.get(name)!}`;
  const processes: ServiceProcess[] = [];
  const ledgerUrl = `http://${addressOf('DEVNET_RPC_PORT')}`;
  /** Host names of the cluster → addresses on this machine. */
  const moved: Readonly<Record<string, string>> = {
    LISTEN_HOST: '127.0.0.1',
    LEDGER_URL: ledgerUrl,
    DEVNET_DATA_DIR: join(folder, 'ledger'),
  };
  const funds = FUNDS.map((amount) => `${sponsor.address}=${amount}`).join(',');

  const workload = (app: string) =>
    workloadsOf(app === 'devnet' ? local : objects).find(({ name }) => name === app)!;

  async function environment(app: App): Promise<Record<string, string>> {
    const manifests = app === 'devnet' ? local : objects;
    const environment: Record<string, string> = {
      ...(inheritedEnvironment() as Record<string, string>),
      ...imageDefaults().environment,
      ...withSecretsIn(folder, workload(app), manifests, ({ secret, key }) => {
        return secrets[`${secret}/${key}`]!;
      }),
    };
    for (const [name, value] of Object.entries(environment)) {
      const here = value
        .replaceAll('coin-pool:9531', addressOf('COIN_POOL_PORT'))
        .replaceAll('events:9551', addressOf('EVENTS_PORT'));
      environment[name] = moved[name] ?? here;
    }
    const isFirst = processes.every((one) => one.app !== app);
    for (const name of portVariables(app)) {
      environment[name] = String(isFirst ? ports.get(name)! : await freePort());
    }
    return app === 'devnet' ? { ...environment, DEVNET_GENESIS_FUNDS: funds } : environment;
  }

  async function start(app: App): Promise<ServiceProcess> {
    const env = await environment(app);
    const { entrypoint } = imageDefaults();
    const name = `${app}-${processes.filter((one) => one.app === app).length}`;
    const service = new ServiceProcess({
      app,
      name,
      env,
      watchdog,
      logFile: join(folder, `${name}.log`),
      command: [
        process.execPath,
        ...entrypoint.slice(1, -1),
        join(ROOT, 'apps', 'cli', 'bin', 'forecourt.mjs'),
        ...workload(app).container.args!,
      ],
      url: `http://127.0.0.1:${APPS[app].behave(env).healthPort}`,
    });
    processes.push(service);
    await service.start();
    return service;
  }

  async function stop(): Promise<void> {
    await Promise.all(processes.map((service) => service.stop()));
    await redis.stop();
    watchdog.close();
  }

  await start('devnet').catch(async (error) => {
    await stop();
    throw error;
  });
  return {
    objects,
    ledgerUrl,
    token,
    workload,
    start,
    stop,
    redisUrl: credentials.urlOf('operator', redis.url),
    controlUrl: `http://${addressOf('DEVNET_CONTROL_PORT')}`,
    sponsor: sponsor.address,
    audit: () => {
      const { env } = processes.find(({ app }) => app === 'coin-pool')!.options;
      return runApp('cli', env, { entry: 'forecourt.js', args: ['audit'] });
    },
  };
}
