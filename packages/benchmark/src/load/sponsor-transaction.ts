import { createLocalSigner } from '@forecourt/ledger';
import { Ed25519Keypair } from '@iota/iota-sdk/keypairs/ed25519';
import type { User } from './drive-users.js';
import { executeSponsored, GAS_BUDGET } from './execute-sponsored.js';
import { HttpConnection } from './http-connection.js';
import type { GatewayAccess } from './load-task.js';
import { readClock } from './read-clock.js';
import { TransactionTemplate } from './transaction-template.js';

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
