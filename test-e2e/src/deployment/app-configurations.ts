import { coinPoolVariables, readCoinPoolConfig } from '@forecourt/coin-pool/config';
import type { Environment, Variables } from '@forecourt/runtime/config';
import { devnetVariables, readDevnetConfig } from '@forecourt/devnet/config';
import { eventsVariables, readEventsConfig } from '@forecourt/events/config';
import { executorVariables, readExecutorConfig } from '@forecourt/executor/config';
import { gatewayVariables, readGatewayConfig } from '@forecourt/gateway/config';
import { historyVariables, readHistoryConfig } from '@forecourt/history/config';
import type { App } from '@forecourt/testing/system';

/** The network behaviour of an app in an environment. */
export interface Behaviour {
  /** Where `/health/live` and `/health/ready` answer. */
  readonly healthPort: number;
  /** Where `/metrics` answers; null: it has no metrics that are collected. */
  readonly metricsPort: number | null;
  /** Every port it listens on. */
  readonly listens: readonly number[];
  /** `host:port` of every service that it calls. */
  readonly calls: readonly string[];
}

interface AppConfiguration {
  readonly variables: Variables;
  /** Throws `ConfigError`. */
  readonly behave: (environment: Environment) => Behaviour;
}

/** Any receiver of webhooks. */
const RECEIVER = 'https://receiver.example';

export const APPS: Readonly<Record<App, AppConfiguration>> = {
  gateway: {
    variables: gatewayVariables,
    behave: (environment) => {
      const config = readGatewayConfig(environment);
      const fleet = [...config.coinPools, ...config.eventsEndpoints, ...config.historyEndpoints];
      const calls = [
        ...urls(...config.redisUrls, ...config.ledgerUrls, ...config.ledgerReadUrls),
        ...fleet.map(({ host, port }) => `${host}:${port}`),
      ];
      const { port, compatibilityPort, metricsPort } = config;
      const listens = [port, compatibilityPort, metricsPort].filter((one) => one !== null);
      return { healthPort: port, metricsPort, listens, calls };
    },
  },
  'coin-pool': {
    variables: coinPoolVariables,
    behave: (environment) => {
      const { port, healthPort, ...config } = readCoinPoolConfig(environment);
      const calls = urls(...config.redisUrls, ...config.ledgerUrls, ...config.ledgerReadUrls);
      return { healthPort, metricsPort: healthPort, listens: [port, healthPort], calls };
    },
  },
  executor: {
    variables: executorVariables,
    behave: (environment) => {
      const { healthPort, ...config } = readExecutorConfig(environment);
      const calls = urls(...config.redisUrls, ...config.ledgerUrls, ...config.ledgerReadUrls);
      return { healthPort, metricsPort: healthPort, listens: [healthPort], calls };
    },
  },
  events: {
    variables: eventsVariables,
    behave: (environment) => {
      const { port, ledgerUrls, upstreams, databaseUrl, databaseReadUrl } =
        readEventsConfig(environment);
      const nodes = upstreams.length > 0 ? upstreams.map(({ url }) => url) : ledgerUrls;
      const databases = [databaseUrl, databaseReadUrl].filter((url) => url !== '');
      const calls = urls(...nodes, ...databases);
      return { healthPort: port, metricsPort: port, listens: [port], calls };
    },
  },
  history: {
    variables: historyVariables,
    behave: (environment) => {
      const { port, healthPort, redisUrls, databaseUrl, tokensFile } =
        readHistoryConfig(environment);
      const receivers = tokensFile === null ? [] : [RECEIVER];
      const calls = urls(...redisUrls, databaseUrl, ...receivers);
      return { healthPort, metricsPort: healthPort, listens: [port, healthPort], calls };
    },
  },
  devnet: {
    variables: devnetVariables,
    behave: (environment) => {
      const { rpcPort, faucetPort, controlPort, grpcPort } = readDevnetConfig(environment);
      const listens = [rpcPort, faucetPort, controlPort, grpcPort].filter((port) => port !== null);
      return { healthPort: rpcPort, metricsPort: null, listens, calls: [] };
    },
  },
};

/** Read by Node itself. */
const NODE_VARIABLES = ['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS'];

/** Variables that the app does not read; such a setting would have no effect. */
export function unknownVariables(app: App, environment: Environment): string[] {
  const known = Object.values(APPS[app].variables).flatMap(({ name, secret }) =>
    secret ? [name, `${name}_FILE`] : [name],
  );
  return Object.keys(environment).filter((name) => ![...known, ...NODE_VARIABLES].includes(name));
}

const USUAL_PORTS: Readonly<Record<string, string>> = {
  'http:': '80',
  'https:': '443',
  'postgres:': '5432',
  'redis:': '6379',
  'rediss:': '6379',
};

function urls(...texts: readonly string[]): string[] {
  return texts
    .map((text) => new URL(text))
    .map(({ hostname, port, protocol }) => `${hostname}:${port || USUAL_PORTS[protocol]}`);
}
