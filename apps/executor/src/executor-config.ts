import {
  checkRedis,
  type ConfigOf,
  type Environment,
  fleetVariables,
  ledgerVariables,
  readConfig,
  redisVariables,
  submitWithinMs,
  variable,
} from '@forecourt/runtime/config';

export const executorVariables = {
  host: fleetVariables.host,
  healthPort: variable.port('EXECUTOR_HEALTH_PORT', {
    default: 9541,
    description: 'Port of the probes',
  }),
  logLevel: fleetVariables.logLevel,
  buildCommit: fleetVariables.buildCommit,
  traceEndpoint: fleetVariables.traceEndpoint,
  traceSampleRatio: fleetVariables.traceSampleRatio,
  ...redisVariables,
  ...ledgerVariables,
  sponsorKeys: fleetVariables.sponsorKeys,
  sponsorKeysFile: fleetVariables.sponsorKeysFile,
  poolTargetBalance: fleetVariables.poolTargetBalance,
  retentionMs: fleetVariables.retentionMs,
  concurrency: variable.integer('EXECUTOR_CONCURRENCY', {
    default: 100,
    min: 1,
    max: 10_000,
    description:
      'Concurrent transactions of one executor, besides those that wait for signatures of key services',
  }),
  localExecutionWaitMs: variable.integer('LOCAL_EXECUTION_WAIT_MS', {
    default: 5_000,
    min: 0,
    max: 600_000,
    unit: 'ms',
    description: 'How long `waitForLocalExecution` waits for the node that serves reads',
  }),
};

export type ExecutorConfig = ConfigOf<typeof executorVariables> & {
  /** See `submitWithinMs`. */
  readonly submitWithinMs: number;
};

/** Injection token of `ExecutorConfig`. */
export const EXECUTOR_CONFIG = Symbol('EXECUTOR_CONFIG');

/** Throws `ConfigError` naming every problem. */
export function readExecutorConfig(environment: Environment = process.env): ExecutorConfig {
  const config = readConfig(executorVariables, environment, checkRedis);
  return { ...config, submitWithinMs: submitWithinMs(config.ledgerTimeoutMs) };
}
