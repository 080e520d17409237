import { join } from 'node:path';
import { appProgram } from '../processes/paths.js';
import { ServiceProcess } from '../processes/service-process.js';
import type { Start } from './start.js';
import { USUAL_FUNDS } from './system-options.js';

const isOn = (port: string | undefined) => port !== undefined && port !== '' && port !== 'off';

/** Starts a devnet whose genesis funds the sponsor. */
export async function startDevnet({
  system,
  options,
  ports,
  watchdog,
  env,
  say,
}: Start): Promise<void> {
  const rpcPort = new URL(system.facts.ledgerUrl).port;
  const faucetPort = await ports('DEVNET_FAUCET_PORT', 9123, 0);
  const wantsControl = options.faults || isOn(env['DEVNET_CONTROL_PORT']);
  const controlPort = wantsControl ? await ports('DEVNET_CONTROL_PORT', 9124, 0) : null;
  const funds = (options.sponsorFunds ?? USUAL_FUNDS).map(
    (amount) => `${system.sponsor}=${amount}`,
  );
  say(`devnet on port ${rpcPort}`);
  const devnet = new ServiceProcess({
    app: 'devnet',
    url: system.facts.ledgerUrl,
    command: [
      process.execPath,
      '--enable-source-maps',
      ...(options.devnetNodeOptions ?? []),
      appProgram('devnet', 'main.js'),
    ],
    watchdog,
    logFile: join(system.logDir, 'devnet.log'),
    env: {
      ...env,
      // It keeps its whole history in memory; a test's memory limit applies to the services only.
      NODE_OPTIONS: '',
      DEVNET_RPC_PORT: rpcPort,
      ...(options.dialect === 'grpc' && { DEVNET_GRPC_PORT: new URL(system.facts.nodeUrl).port }),
      DEVNET_FAUCET_PORT: String(faucetPort),
      DEVNET_CONTROL_PORT: controlPort === null ? 'off' : String(controlPort),
      DEVNET_GENESIS_FUNDS: funds.join(','),
      ...(options.lagMs !== undefined && { DEVNET_LAG_MS: String(options.lagMs) }),
    },
  });
  system.processes.push(devnet);
  await devnet.start();
  system.faucetUrl = `http://127.0.0.1:${faucetPort}`;
  system.controlUrl = controlPort === null ? null : `http://127.0.0.1:${controlPort}`;
}
