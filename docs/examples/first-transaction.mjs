import { GasStation } from '@forecourt/client';
import { IotaClient } from '@iota/iota-sdk/client';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import { Transaction } from '@iota/iota-sdk/transactions';

const client = new IotaClient({ url: 'http://127.0.0.1:9000' });
const station = new GasStation({ url: 'http://127.0.0.1:9527', token: process.env.TOKEN });
const signer = new Ed25519Keypair(); // a user who owns no coins
const transaction = new Transaction();
transaction.moveCall({
  target: '0x2::clock::timestamp_ms',
  arguments: [transaction.object('0x6')],
});

const { digest, effects } = await station.sponsor({ transaction, client, signer });
console.log(effects.status.status, digest);
