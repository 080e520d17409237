import { freePort, type ServiceProcess, startService } from '@forecourt/testing/system';
import type { TestSystem } from './test-system.js';

/** Starts another gateway of a system, with different settings. */
export async function startGateway(
  system: TestSystem,
  settings: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const [first] = system.services('gateway');
  const port = String(await freePort());
  return startService({
    app: 'gateway',
    url: `http://127.0.0.1:${port}`,
    logFile: first!.options.logFile.replace('gateway.log', `gateway-at-${port}.log`),
    env: {
      ...first!.options.env,
      GATEWAY_PORT: port,
      GATEWAY_METRICS_PORT: String(await freePort()),
      GATEWAY_COMPATIBILITY_PORT: String(await freePort()),
      ...settings,
    },
  });
}
