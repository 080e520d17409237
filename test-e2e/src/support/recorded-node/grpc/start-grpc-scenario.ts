import { freePort, type ServiceProcess } from '@forecourt/testing/system';
import { startScenarioDevnet } from '../start-scenario.js';
import { GrpcScenario } from './grpc-scenario.js';

/**
 * The user, its sponsor, and the owner of an object that the user may not use, with too little for a payment.
 */
const ACCOUNTS = {
  '0xf2c89037c50d381f408bd4e3a790c5ed6f4bfc763e68086784f874d7e499ce0f': '2000000000',
  '0xe82a805d5992821dda00febc82160fb2d64cce9320d764e9f12fdc06b5dd667f': '2000000000',
  '0x786eabece85e4d7476440b003459a86bd7a3e0c611b609ff922acb65a16d5807': '3',
};
/** A sixth of the recorded node's, which makes a checkpoint known about 1.9 s after the answer. */
const LAG_MS = 300;

/** Starts a separate devnet for the calls recorded over gRPC. */
export async function startGrpcScenario(): Promise<{
  readonly devnet: ServiceProcess;
  readonly scenario: GrpcScenario;
}> {
  const grpcPort = String(await freePort());
  const { devnet, ...urls } = await startScenarioDevnet({
    DEVNET_GRPC_PORT: grpcPort,
    DEVNET_LAG_MS: String(LAG_MS),
  });
  const options = { ...urls, accounts: ACCOUNTS, coins: 250 };
  return { devnet, scenario: new GrpcScenario(options, `http://127.0.0.1:${grpcPort}`) };
}
