import { createLogger } from './logger.js';
import { runService, type ServiceOptions } from './run-service.js';

/**
 * A service's `main`: reads its configuration, then runs it. A configuration that cannot be used is one clear line and
 * exit code 1, before anything listens.
 */
export async function startService<Config>(
  name: string,
  readConfig: () => Config,
  describe: (config: Config) => Omit<ServiceOptions, 'name'> | Promise<Omit<ServiceOptions, 'name'>>,
): Promise<void> {
  let options: ServiceOptions;
  try {
    options = { name, ...(await describe(readConfig())) };
  } catch (error) {
    createLogger(name, 'info').error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
  await runService(options);
}
