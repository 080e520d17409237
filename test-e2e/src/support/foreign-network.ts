import {
  type DevnetControl,
  devnetControl,
  freePort,
  type ServiceProcess,
} from '@forecourt/testing/system';
import { startOneMore } from './start-one-more.js';

/**
 * So far ahead, coins that were bound until the end of its epoch would stay bound for a long time, and coins
 * that it does not show would count as deleted long ago.
 */
const EPOCHS_AHEAD = 20;

/** A network without any objects of the tested system, in a much later epoch. */
export class ForeignNetwork {
  private constructor(
    private readonly devnet: ServiceProcess,
    /** Its address in the dialect of the tested system. */
    readonly nodeUrl: string,
    readonly control: DevnetControl,
  ) {}

  static async start(dialect: 'json-rpc' | 'grpc'): Promise<ForeignNetwork> {
    const [controlPort, grpcPort] = [await freePort(), await freePort()];
    const devnet = await startOneMore('devnet', (port) => ({
      DEVNET_RPC_PORT: port,
      DEVNET_GRPC_PORT: String(grpcPort),
      DEVNET_CONTROL_PORT: String(controlPort),
      DEVNET_FAUCET_PORT: 'off',
    }));
    const nodeUrl = dialect === 'grpc' ? `grpc://127.0.0.1:${grpcPort}` : devnet.url;
    const control = devnetControl(`http://127.0.0.1:${controlPort}`);
    for (let epochs = 0; epochs < EPOCHS_AHEAD; epochs++) await control.advanceEpoch();
    return new ForeignNetwork(devnet, nodeUrl, control);
  }

  stop(): Promise<void> {
    return this.devnet.stop();
  }
}
