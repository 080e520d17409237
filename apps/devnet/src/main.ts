import { InvalidDevnetConfig, readDevnetConfig } from './devnet-config.js';
import { startDevnet } from './start-devnet.js';
import { writeLog } from './write-log.js';

try {
  const { urls, chainIdentifier } = await startDevnet(readDevnetConfig());
  writeLog('info', 'ready', { chainIdentifier, ...urls });
} catch (error) {
  const expected = error instanceof InvalidDevnetConfig;
  writeLog('error', 'start failed', {
    reason: (error as Error).message,
    ...(!expected && { stack: (error as Error).stack }),
  });
  process.exitCode = 1;
}
