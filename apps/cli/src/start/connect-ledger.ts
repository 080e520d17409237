import { createIotaLedger, type Ledger } from '@forecourt/ledger';
import { type Environment, ledgerVariables, readConfig } from '@forecourt/runtime/config';

/** The ledger at the nodes that the services use, over JSON-RPC or gRPC. Throws `ConfigError`. */
export function connectLedger(environment: Environment): Ledger {
  const config = readConfig(ledgerVariables, environment);
  return createIotaLedger({
    urls: config.ledgerUrls,
    readUrls: config.ledgerReadUrls,
    headers: config.ledgerHeaders,
    requestTimeoutMs: config.ledgerTimeoutMs,
  });
}
