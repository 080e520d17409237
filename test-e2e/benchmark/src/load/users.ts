import { Inputs, type Transaction } from '@iota/iota-sdk/transactions';
import type { ReserveGasResponse } from '@forecourt/contracts';
import { createLocalSigner, type Signer } from '@forecourt/ledger';
import { HttpConnection } from './http-connection.js';
import { type Reference, TransactionTemplate } from './transaction-template.js';
import type { GatewayAccess, User } from './load-task.js';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { devnetControl } from '@forecourt/testing/system';

const CLOCK = '0x6';

/**
 * Adds a call that reads the ledger's clock: a cheap command, since the benchmark measures the way
 * to the ledger.
 */
export function readClock(tx: Transaction): void {
  const clock = Inputs.SharedObjectRef({
    objectId: CLOCK,
    initialSharedVersion: 1,
    mutable: false,
  });
  tx.moveCall({ target: '0x2::clock::timestamp_ms', arguments: [tx.object(clock)] });
}

export const GAS_BUDGET = 10_000_000;
const RESERVE = JSON.stringify({ gas_budget: GAS_BUDGET, reserve_duration_secs: 60 });

type Reserved = ReserveGasResponse['result'];

/** Reserves one coin. Throws when the gateway refuses. */
export async function reserve(connection: HttpConnection): Promise<Reserved> {
  const { status, text } = await connection.post('/v1/reserve_gas', RESERVE);
  if (status !== 200) throw new Error(`reserve answered ${status} ${text}`);
  return (JSON.parse(text) as ReserveGasResponse).result;
}

/**
 * Signs and executes with a reservation. Resolves with the duration of the execution in ms; throws when the
 * transaction did not succeed.
 */
export async function execute(
  connection: HttpConnection,
  user: Signer,
  template: TransactionTemplate,
  { reservation_id, gas_coins }: Reserved,
): Promise<number> {
  const bytes = template.fill(gas_coins[0]!);
  const body = JSON.stringify({
    reservation_id,
    tx_bytes: bytes.toString('base64'),
    user_sig: await user.signTransaction(bytes),
  });
  const before = performance.now();
  const { status, text } = await connection.post('/v1/execute_tx', body);
  const ms = performance.now() - before;
  if (status !== 200 || !text.includes('"status":{"status":"success"}')) {
    throw new Error(`execute answered ${status} ${text.slice(0, 300)}`);
  }
  return ms;
}

/** Reserves, signs and executes, as `reserve` and `execute` do. */
export async function executeSponsored(
  connection: HttpConnection,
  user: Signer,
  template: TransactionTemplate,
): Promise<number> {
  return execute(connection, user, template, await reserve(connection));
}

const DURATION_SECS = 1;

/** A user that reserves gas and lets the reservation expire. */
export async function reserveOnly(gateway: GatewayAccess, gasBudget: number): Promise<User> {
  const connection = await HttpConnection.open(gateway.url, gateway.token);
  const body = JSON.stringify({ gas_budget: gasBudget, reserve_duration_secs: DURATION_SECS });
  return {
    async act() {
      const before = performance.now();
      const { status, text } = await connection.post('/v1/reserve_gas', body);
      if (status !== 200) throw new Error(`reserve answered ${status} ${text}`);
      return performance.now() - before;
    },
    leave: () => connection.close(),
  };
}

/** A user that has one transaction after the other sponsored. */
export async function sponsorTransaction(gateway: GatewayAccess, sponsor: string): Promise<User> {
  const connection = await HttpConnection.open(gateway.url, gateway.token);
  const signer = createLocalSigner(new Ed25519Keypair().getSecretKey());
  const template = await TransactionTemplate.build({
    sender: signer.address,
    gasOwner: sponsor,
    gasBudget: GAS_BUDGET,
    build: readClock,
  });
  return {
    act: () => executeSponsored(connection, signer, template),
    leave: () => connection.close(),
  };
}

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
