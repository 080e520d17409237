import { IotaClient } from '@iota/iota-sdk/client';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';

const [gatewayUrl = '', ledgerUrl = ''] = process.argv.slice(2);
const station = createClient<paths>({
  baseUrl: gatewayUrl,
  headers: { authorization: `Bearer ${process.env['TOKEN']}` },
});
const client = new IotaClient({ url: ledgerUrl });
const user = new Ed25519Keypair();
const gas_budget = 10_000_000;

const reserved = await station.POST('/v1/reserve_gas', {
  body: { gas_budget, reserve_duration_secs: 60 },
});
if (!reserved.data) throw new Error(reserved.error.error);
const { sponsor_address, gas_coins, reservation_id } = reserved.data.result;

const tx = new Transaction();
tx.moveCall({ target: '0x2::clock::timestamp_ms', arguments: [tx.object('0x6')] });
tx.setSender(user.toIotaAddress());
tx.setGasOwner(sponsor_address);
tx.setGasPayment(gas_coins);
tx.setGasBudget(gas_budget);
const { bytes, signature } = await user.signTransaction(await tx.build({ client }));

const executed = await station.POST('/v1/execute_tx', {
  body: { reservation_id, tx_bytes: bytes, user_sig: signature },
});
if (!executed.data) throw new Error(executed.error.error);
const { status, transactionDigest } = executed.data.effects;
if (status.status !== 'success') throw new Error(`${transactionDigest}: ${status.error}`);

const refused = await station.POST('/v1/reserve_gas', {
  body: { gas_budget: 0, reserve_duration_secs: 60 },
});
if (refused.response.status !== 400 || !refused.error?.error.includes('gas_budget')) {
  throw new Error('a budget of 0 is not refused as described');
}

process.stdout.write(`${transactionDigest}\n`);
