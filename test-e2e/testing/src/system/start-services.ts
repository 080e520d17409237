import { join } from 'node:path';
import type { App } from '../processes/paths.js';
import { type ServiceOptions, ServiceProcess } from '../processes/service-process.js';
import {
  coinPoolEnvironment,
  eventsEnvironment,
  executorEnvironment,
  gatewayEnvironment,
  historyEnvironment,
} from './service-environment.js';
import type { Start } from './start.js';
import { historyReplicas } from './system-options.js';

/** Starts every replica of every service concurrently and waits until all are ready. */
export async function startServices(start: Start): Promise<void> {
  const { system, options } = start;
  const endpoints: string[] = [];
  const described: ServiceOptions[] = [];
  const replicas = async (count: number, add: (replica: number) => Promise<ServiceOptions>) => {
    for (let replica = 0; replica < count; replica++) described.push(await add(replica));
  };
  const isOne = options.processes === 'one';
  const keepsHistory = system.facts.databaseUrl !== null && historyReplicas(options) > 0;
  await replicas(options.coinPools ?? 1, async (replica) => {
    const port = await start.ports('COIN_POOL_PORT', 9531, replica);
    endpoints.push(`127.0.0.1:${port}`);
    const env = {
      ...(keepsHistory && { HISTORY_BACKLOG: start.env['HISTORY_BACKLOG'] ?? '1000000' }),
      ...coinPoolEnvironment(system.facts),
      COIN_POOL_PORT: String(port),
    };
    return define(start, 'coin-pool', replica, 'COIN_POOL_HEALTH_PORT', 9532, env);
  });
  const executor = executorEnvironment(system.facts);
  await replicas(options.executors ?? 1, (replica) =>
    define(start, 'executor', replica, 'EXECUTOR_HEALTH_PORT', 9541, executor),
  );
  const eventsEndpoints: string[] = [];
  await replicas(isOne ? 1 : (options.events ?? 0), async (replica) => {
    const port = await start.ports('EVENTS_PORT', 9551, replica);
    eventsEndpoints.push(`127.0.0.1:${port}`);
    const env = {
      ...eventsEnvironment(system.facts, options),
      EVENTS_PORT: String(port),
      // As in deployments.
      NODE_OPTIONS: `${start.env['NODE_OPTIONS'] ?? ''} --max-semi-space-size=4`.trim(),
    };
    return describeProcess(start, 'events', replica, port, env);
  });
  const historyEndpoints: string[] = [];
  await replicas(keepsHistory ? historyReplicas(options) : 0, async (replica) => {
    const port = await start.ports('HISTORY_PORT', 9561, replica);
    historyEndpoints.push(`127.0.0.1:${port}`);
    const env = { ...historyEnvironment(system.facts), HISTORY_PORT: String(port) };
    return define(start, 'history', replica, 'HISTORY_HEALTH_PORT', 9562, env);
  });
  const gateway = gatewayEnvironment(system.facts, {
    coinPools: endpoints,
    events: eventsEndpoints,
    history: historyEndpoints,
  });
  await replicas(options.gateways ?? 1, async (replica) => {
    const port = await start.ports('GATEWAY_PORT', 9527, replica);
    const metricsPort = await start.ports('GATEWAY_METRICS_PORT', 9184, replica);
    const compatibilityPort = await start.ports('GATEWAY_COMPATIBILITY_PORT', 9528, replica);
    const ports = {
      GATEWAY_PORT: String(port),
      GATEWAY_METRICS_PORT: String(metricsPort),
      GATEWAY_COMPATIBILITY_PORT: String(compatibilityPort),
    };
    return describeProcess(start, 'gateway', replica, port, { ...gateway, ...ports }, metricsPort);
  });
  const started = isOne ? [joinInStation(start, described)] : described;
  system.processes.push(...started.map((one) => new ServiceProcess(one)));
  await startTogether(start);
}

/** One process that runs all of these services. The gateway's address is that of the process. */
function joinInStation(
  { system, env: shared }: Start,
  services: readonly ServiceOptions[],
): ServiceOptions {
  const gateway = services.find(({ app }) => app === 'gateway')!;
  const others = services.filter((one) => one !== gateway);
  const env = Object.assign({}, ...services.map((one) => one.env)) as NodeJS.ProcessEnv;
  return {
    ...gateway,
    app: 'station',
    name: 'station',
    otherUrls: others.map(({ url }) => url),
    logFile: join(system.logDir, 'station.log'),
    env: {
      ...env,
      REDIS_URL: system.facts.redisUrlOf('station'),
      // A smaller semi-space, as that of the events service, and Node's default of 32 both cost this process
      // memory.
      NODE_OPTIONS: `${shared['NODE_OPTIONS'] ?? ''} --max-semi-space-size=16`.trim(),
    },
  };
}

/** A process with its probes on the port that `portVariable` sets. */
async function define(
  start: Start,
  app: App,
  replica: number,
  portVariable: string,
  usualPort: number,
  own: NodeJS.ProcessEnv,
): Promise<ServiceOptions> {
  const port = await start.ports(portVariable, usualPort, replica);
  return describeProcess(start, app, replica, port, { ...own, [portVariable]: String(port) });
}

function describeProcess(
  { system, watchdog, env, options }: Start,
  app: App,
  replica: number,
  port: number,
  own: NodeJS.ProcessEnv,
  metricsPort = port,
): ServiceOptions {
  const name = replica === 0 ? app : `${app}-${replica + 1}`;
  return {
    app,
    name,
    clone: options.clone,
    watchdog,
    url: `http://127.0.0.1:${port}`,
    metricsUrl: `http://127.0.0.1:${metricsPort}/metrics`,
    logFile: join(system.logDir, `${name}.log`),
    // One arena as in the image.
    env: { MALLOC_ARENA_MAX: '1', ...env, ...own },
  };
}

async function startTogether({ system, say }: Start): Promise<void> {
  const services = system.processes.filter(({ app }) => app !== 'devnet');
  say(`${services.map(({ name }) => name).join(', ')}`);
  for (const service of services) service.launch();
  await Promise.all(services.map((service) => service.ready()));
}
