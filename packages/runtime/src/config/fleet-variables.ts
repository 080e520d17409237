import { variable } from './variable.js';

const HTTP = ['http:', 'https:'] as const;

/** Variables that several services read; each takes those it needs into its own table. */
export const fleetVariables = {
  host: variable.text('LISTEN_HOST', {
    default: '127.0.0.1',
    description: 'Address to listen on; `0.0.0.0` in a container',
  }),
  logLevel: variable.choice('LOG_LEVEL', {
    values: ['debug', 'info', 'warn', 'error'],
    default: 'info',
    description: 'Lowest level that is logged',
  }),
  buildCommit: variable.optionalText('BUILD_COMMIT', {
    description:
      'Commit of the build, for `GET /version` and the list of replicas; by default taken from Git',
  }),
  drainMs: variable.integer('SHUTDOWN_DRAIN_MS', {
    default: 5_000,
    min: 0,
    max: 300_000,
    unit: 'ms',
    description:
      'How long a stopping service keeps serving with its readiness off, so that balancers stop sending requests; then it has 20 s to finish',
  }),
  traceEndpoint: variable.optionalUrl('OTEL_EXPORTER_OTLP_ENDPOINT', {
    protocols: HTTP,
    description:
      'Base URL of the OpenTelemetry collector for traces (OTLP over HTTP, JSON, at `/v1/traces`); without it tracing is off',
  }),
  traceSampleRatio: variable.parsed<number>('OTEL_TRACES_SAMPLER_ARG', {
    default: 1,
    write: '1',
    kind: 'number, 0 to 1',
    description: 'Share of the traces that are kept, unless the caller’s `traceparent` decides',
    parse(text) {
      const share = Number(text);
      if (!/^[\d.]+$/.test(text) || !(share >= 0 && share <= 1)) {
        throw new Error('must be a number from 0 to 1');
      }
      return share;
    },
  }),
  sponsorKeys: variable.secretList('SPONSOR_KEYS', {
    description: 'Keys of the sponsors, each base64 of `flag‖key` or bech32 (`iotaprivkey1…`)',
  }),
  sponsorKeysFile: variable.optionalText('SPONSOR_KEYS_FILE', {
    description:
      'File with the keys of the sponsors, in place of `SPONSOR_KEYS`. It is read again when it changes, without a restart ([keys](operations/actions.md#add-a-sponsor))',
  }),
  poolTargetBalance: variable.bigint('POOL_TARGET_BALANCE', {
    default: 100_000_000n,
    min: 10_000n,
    unit: 'smallest unit',
    description:
      'Balance of a new gas coin; a smaller coin than a tenth of it is dust, one of three times it or more is treasury. Must be the same for every coin-pool and executor',
  }),
  retentionMs: variable.integer('OUTCOME_RETENTION_MS', {
    default: 600_000,
    min: 1_000,
    max: 86_400_000,
    unit: 'ms',
    description:
      'How long the outcome of a reservation is kept to answer retries; later retries are answered from the ledger',
  }),
};
