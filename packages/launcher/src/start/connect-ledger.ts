import { createNodeClient } from '@forecourt/ledger';
import { type Environment, ledgerVariables, readConfig } from '@forecourt/runtime/config';
import type { IotaClient } from '@iota/iota-sdk/client';

/** A client of the nodes that the services use. Throws `ConfigError`. */
export function connectLedger(environment: Environment): IotaClient {
  const { ledgerUrls, ledgerHeaders, ledgerTimeoutMs } = readConfig(ledgerVariables, environment);
  return createNodeClient({ urls: ledgerUrls, headers: ledgerHeaders, timeoutMs: ledgerTimeoutMs });
}
