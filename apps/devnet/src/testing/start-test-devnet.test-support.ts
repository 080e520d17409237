import { IotaClient } from '@iota/iota-sdk/client';
import { requestIotaFromFaucetV0 } from '@iota/iota-sdk/faucet';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { type DevnetConfig, readDevnetConfig } from '../devnet-config.js';
import { startDevnet, type RunningDevnet } from '../start-devnet.js';

export interface TestDevnet extends RunningDevnet {
  readonly client: IotaClient;
  /** A new key whose address has coins of the faucet. */
  fundedKey(): Promise<Ed25519Keypair>;
  /** Calls the control interface. Throws on an error status or, if `status` is given, on any other one. */
  control(method: string, path: string, body?: unknown, status?: number): Promise<unknown>;
  /** Sets a fault and returns its id. */
  setFault(fault: object): Promise<number>;
  /** Returns the raw JSON-RPC response. */
  rpc(method: string, params?: unknown): Promise<RpcAnswer>;
}

interface RpcAnswer {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/**
 * A devnet with every port open, each a free one, that shows everything at once, and the helpers of a test.
 * `fixed`: replaces what no variable sets.
 */
export async function startTestDevnet(
  env: Readonly<Record<string, string>> = {},
  fixed: Partial<DevnetConfig> = {},
): Promise<TestDevnet> {
  const devnet = await startDevnet({
    ...readDevnetConfig({
      DEVNET_RPC_PORT: '0',
      DEVNET_FAUCET_PORT: '0',
      DEVNET_CONTROL_PORT: '0',
      DEVNET_GRPC_PORT: '0',
      DEVNET_EPOCH_SECONDS: 'off',
      DEVNET_LAG_MS: '0',
      ...env,
    }),
    ...fixed,
  });
  const { rpc, faucet, control } = devnet.urls;

  const callControl = async (method: string, path: string, body?: unknown, status?: number) => {
    const response = await fetch(`${control}${path}`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    const text = await response.text();
    const expected = status === undefined ? response.ok : response.status === status;
    if (!expected) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? null : (JSON.parse(text) as unknown);
  };

  return {
    ...devnet,
    client: new IotaClient({ url: rpc }),
    async fundedKey() {
      const key = new Ed25519Keypair();
      await requestIotaFromFaucetV0({ host: faucet ?? '', recipient: key.toIotaAddress() });
      return key;
    },
    control: callControl,
    setFault: async (fault) => ((await callControl('POST', '/faults', fault)) as { id: number }).id,
    async rpc(method, params = []) {
      const response = await fetch(rpc, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
      return (await response.json()) as RpcAnswer;
    },
  };
}
