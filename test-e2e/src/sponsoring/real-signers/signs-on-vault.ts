import { readRawKey } from '@forecourt/ledger';
import { freePort } from '@forecourt/testing/system';
import { requireFault, requireSignatures, requireSignaturesFor } from './require-signatures.js';
import { startServer } from './start-server.js';

const SIGNATURES = 500;
const LASTING_MS = 7_000;
const ROOT_TOKEN = 'root-of-a-development-server';
/** The policy of docs/operations/key-services.md. */
const POLICY = `
path "transit/sign/sponsor" {
  capabilities        = ["update"]
  allowed_parameters  = { "batch_input" = [], "key_version" = [] }
}
path "transit/keys/sponsor" {
  capabilities = ["read"]
}`;

/** The transit engine of a development server. */
export async function signsOnVault(program: string): Promise<string[]> {
  const host = `127.0.0.1:${await freePort()}`;
  const args = [
    'server',
    '-dev',
    `-dev-root-token-id=${ROOT_TOKEN}`,
    `-dev-listen-address=${host}`,
  ];
  const server = await startServer(program, [...args, '-dev-no-store-token'], `http://${host}`);
  const call = async (method: string, path: string, body?: object) => {
    const answer = await fetch(`http://${host}/v1/${path}`, {
      method,
      headers: { 'x-vault-token': ROOT_TOKEN },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    const text = await answer.text();
    return (text === '' ? {} : JSON.parse(text)) as { data?: Record<string, unknown> };
  };
  try {
    await call('POST', 'sys/mounts/transit', { type: 'transit' });
    await call('POST', 'transit/keys/sponsor', { type: 'ed25519' });
    await call('PUT', 'sys/policies/acl/sponsor', { policy: POLICY });
    await call('POST', 'sys/auth/approle', { type: 'approle' });
    // Tokens that are renewed once, and then replaced.
    const terms = { token_policies: 'sponsor', token_ttl: '2s', token_max_ttl: '3s' };
    await call('POST', 'auth/approle/role/sponsor', terms);
    const read = async (method: string, path: string, field: string) =>
      (await call(method, path)).data![field];
    const role = String(await read('GET', 'auth/approle/role/sponsor/role-id', 'role_id'));
    const secret = String(await read('POST', 'auth/approle/role/sponsor/secret-id', 'secret_id'));
    const keys = (await read('GET', 'transit/keys/sponsor', 'keys')) as Record<
      string,
      { public_key: string }
    >;
    const { address } = readRawKey('ED25519', Buffer.from(keys['1']!.public_key, 'base64'));
    const entry = (parameters: Record<string, string>) =>
      `vault+http://${host}/transit/sponsor?${new URLSearchParams({ address, ...parameters }).toString()}`;
    const approle = entry({ auth: 'approle', 'role-id': role, 'secret-id': secret });
    const lines = [
      `token: ${await requireSignatures(entry({ token: ROOT_TOKEN }), SIGNATURES)}`,
      `AppRole with the documented policy: ${await requireSignatures(approle, SIGNATURES)}`,
    ];
    lines.push(
      `AppRole beyond its token's life: ${await requireSignaturesFor(approle, LASTING_MS)}`,
    );
    await call('POST', 'transit/keys/sponsor/rotate');
    lines.push(
      `after a rotation: ${await requireSignatures(approle, SIGNATURES)}`,
      `a wrong token ${await requireFault(entry({ token: 'wrong' }), 'refused')}`,
    );
    return lines;
  } finally {
    await server.stop();
  }
}
