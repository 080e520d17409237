import { freePort, type ServiceProcess } from '@forecourt/testing/system';
import { startOneMore } from '../start-one-more.js';
import { Scenario } from './scenario.js';

/** Starts a separate devnet for the recorded calls. */
export async function startScenario(): Promise<{
  readonly devnet: ServiceProcess;
  readonly scenario: Scenario;
}> {
  const controlPort = String(await freePort());
  const devnet = await startOneMore('devnet', (port) => ({
    DEVNET_RPC_PORT: port,
    DEVNET_FAUCET_PORT: 'off',
    DEVNET_CONTROL_PORT: controlPort,
    DEVNET_EPOCH_SECONDS: 'off',
  }));
  return { devnet, scenario: new Scenario(devnet.url, `http://127.0.0.1:${controlPort}`) };
}
