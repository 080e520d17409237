import { freePort, type ServiceProcess } from '@forecourt/testing/system';
import { startOneMore } from '../start-one-more.js';
import { Scenario, type ScenarioOptions } from './scenario.js';

/**
 * The two accounts of the JSON-RPC recording: the sender of everything, and the sponsor or owner of objects
 * that the sender may not use.
 */
const ACCOUNTS = {
  '0xa7c847b29ecf525090ecb45231cf2d80283d063900c2ed759798d04d569b0692': '20000000000',
  '0x4633a607f11f567371838c47a95faae3a03afaac58357b21de366ea9c820915d': '20000000000',
};

/** Starts a separate devnet for the recorded calls. */
export async function startScenario(): Promise<{
  readonly devnet: ServiceProcess;
  readonly scenario: Scenario;
}> {
  const { devnet, ...urls } = await startScenarioDevnet({});
  return { devnet, scenario: new Scenario({ ...urls, accounts: ACCOUNTS, coins: 100 }) };
}

/** A devnet whose epochs only the control interface ends. */
export async function startScenarioDevnet(
  env: Readonly<Record<string, string>>,
): Promise<Pick<ScenarioOptions, 'url' | 'controlUrl'> & { readonly devnet: ServiceProcess }> {
  const controlPort = String(await freePort());
  const devnet = await startOneMore('devnet', (port) => ({
    DEVNET_RPC_PORT: port,
    DEVNET_FAUCET_PORT: 'off',
    DEVNET_CONTROL_PORT: controlPort,
    DEVNET_EPOCH_SECONDS: 'off',
    ...env,
  }));
  return { devnet, url: devnet.url, controlUrl: `http://127.0.0.1:${controlPort}` };
}
