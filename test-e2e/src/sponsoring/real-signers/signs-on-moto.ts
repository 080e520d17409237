import { CreateKeyCommand, GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { readSpki } from '@forecourt/ledger';
import { freePort } from '@forecourt/testing/system';
import { requireFault, requireSignatures } from './require-signatures.js';
import { startServer } from './start-server.js';

/** It signs slowly. */
const SIGNATURES = 10;
const REGION = 'eu-central-1';

/** AWS KMS with a secp256k1 key, as moto imitates it: it has no Ed25519. */
export async function signsOnMoto(program: string): Promise<string[]> {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' });
  const port = String(await freePort());
  const endpoint = `http://127.0.0.1:${port}`;
  const server = await startServer(program, ['-H', '127.0.0.1', '-p', port], endpoint);
  try {
    const client = new KMSClient({ endpoint, region: REGION });
    const create = new CreateKeyCommand({ KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY' });
    const { KeyMetadata } = await client.send(create);
    const { PublicKey } = await client.send(new GetPublicKeyCommand({ KeyId: KeyMetadata!.KeyId }));
    const { address } = readSpki(PublicKey!);
    const entryOf = (key: string, sponsor: string) =>
      `aws-kms:///${key}?endpoint=${endpoint}&region=${REGION}&address=${sponsor}&timeout-ms=5000`;
    const other = `0x${'1'.repeat(64)}`;
    return [
      `secp256k1 by ARN: ${await requireSignatures(entryOf(KeyMetadata!.Arn!, address), SIGNATURES)}`,
      `another sponsor ${await requireFault(entryOf(KeyMetadata!.KeyId!, other), 'wrong_key')}`,
      `a missing key ${await requireFault(entryOf('alias/none', address), 'refused')}`,
    ];
  } finally {
    await server.stop();
  }
}
