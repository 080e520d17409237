import { createLocalSigner } from '@forecourt/ledger';
import { devnetControl } from '@forecourt/testing/system';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { HttpConnection } from './http-connection.js';
import type { User } from './drive-users.js';
import { readClock } from './read-clock.js';
import { type Reference, TransactionTemplate } from './transaction-template.js';

const GAS_BUDGET = 10_000_000;
const FUNDS = 1_000_000_000_000;

interface NodeReply {
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly effects: {
      readonly status: { readonly status: string };
      readonly gasObject: { readonly reference: Reference };
    };
  };
}

/**
 * A user who pays for the same transactions with an own coin and submits them to the node, as an
 * executor does.
 */
export async function submitDirectly(ledgerUrl: string, controlUrl: string): Promise<User> {
  const signer = createLocalSigner(new Ed25519Keypair().getSecretKey());
  let [coin] = await devnetControl(controlUrl).mint(signer.address, FUNDS);
  const connection = await HttpConnection.open(ledgerUrl);
  const template = await TransactionTemplate.build({
    sender: signer.address,
    gasOwner: signer.address,
    build: readClock,
    gasBudget: GAS_BUDGET,
  });
  return {
    async act() {
      const bytes = template.fill(coin!);
      const params = [bytes.toString('base64'), [await signer.signTransaction(bytes)]];
      const body = JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'iota_executeTransactionBlock',
        params: [...params, { showEffects: true }],
      });
      const before = performance.now();
      const { text } = await connection.post('/', body);
      const ms = performance.now() - before;
      const { result } = JSON.parse(text) as NodeReply;
      if (result?.effects.status.status !== 'success') throw new Error(text.slice(0, 300));
      coin = result.effects.gasObject.reference;
      return ms;
    },
    leave: () => connection.close(),
  };
}
