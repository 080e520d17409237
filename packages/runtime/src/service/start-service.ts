import { armFailpoints, readFailpoints } from '../failpoints/index.js';
import { createLogger } from './logger.js';
import { Metrics } from '../metrics/index.js';
import { runService, type ServiceOptions } from './run-service.js';

type Described = Omit<ServiceOptions, 'name' | 'metrics'>;

/**
 * A service's `main`: reads its configuration, then runs it. A configuration that cannot be used is one clear line and
 * exit code 1, before anything listens.
 */
export async function startService<Config>(
  name: string,
  readConfig: () => Config,
  describe: (config: Config, metrics: Metrics) => Described | Promise<Described>,
): Promise<void> {
  let options: ServiceOptions;
  try {
    armFailpoints(readFailpoints());
    const metrics = Metrics.ofProcess(name);
    options = { name, metrics, ...(await describe(readConfig(), metrics)) };
  } catch (error) {
    createLogger(name, 'info').error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
  await runService(options);
}
