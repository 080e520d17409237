import { ConfigError } from '@forecourt/runtime/config';
import { Metrics } from '@forecourt/runtime/metrics';
import { createLogger } from '@forecourt/runtime/service';
import { readDevnetConfig } from './devnet-config.js';
import { startDevnet } from './start-devnet.js';

const logger = createLogger('devnet', 'info');
try {
  const { urls, chainIdentifier } = await startDevnet(
    readDevnetConfig(),
    Metrics.ofProcess('devnet'),
  );
  logger.info({ chainIdentifier, ...urls }, 'listening');
} catch (error) {
  const { message, stack } = error as Error;
  // Unexpected errors need a stack; configuration errors do not.
  logger.error(error instanceof ConfigError ? {} : { stack }, message);
  process.exitCode = 1;
}
