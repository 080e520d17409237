import type { GoogleAuth } from 'google-auth-library';
import { readSpki, type SponsorPublicKey } from '@forecourt/ledger';
import { createPublicKey } from 'node:crypto';
import type { KeyService, KeyServiceKind, ServiceEntry } from '../key-service.js';
import { KeyServiceError } from '../key-service-error.js';
import { crc32c } from './crc32c.js';
import { requireText } from './read-text.js';
import { type ServiceCall, ServiceConnection } from './service-connection.js';

const USUAL_ENDPOINT = 'https://cloudkms.googleapis.com';
const SCOPE = 'https://www.googleapis.com/auth/cloudkms';

const PARAMETERS = ['endpoint'] as const;

type Entry = ServiceEntry<(typeof PARAMETERS)[number]>;

/** Cloud KMS of Google, with an Ed25519 key. Google's library finds the credentials. */
export const gcpKms: KeyServiceKind<(typeof PARAMETERS)[number]> = {
  needsHost: false,
  mayBePlain: false,
  path: /^projects\/.+\/cryptoKeyVersions\/\d+$/,
  parameters: PARAMETERS,
  open,
};

async function open({ path, parameters }: Entry): Promise<KeyService> {
  const connection = new ServiceConnection(parameters.endpoint ?? USUAL_ENDPOINT);
  const { GoogleAuth } = await import('google-auth-library');
  const [, projectId] = path.split('/');
  // The signer repeats by itself. The library still repeats requests to a service of security tokens, for two
  // seconds.
  const clientOptions = { transporterOptions: { retryConfig: { retry: 0, noResponseRetries: 0 } } };
  // Without a project, some credentials would have it looked up.
  const auth = new GoogleAuth({ scopes: [SCOPE], projectId: projectId!, clientOptions });
  const version = `/v1/${encodeURI(path)}`;
  let known: SponsorPublicKey | null = null;

  const call = async (call: ServiceCall, signal: AbortSignal) => {
    const headers = { authorization: `Bearer ${await readAccessToken(auth)}` };
    return (await connection.call({ ...call, headers }, signal)).body;
  };

  const readKey = async (signal: AbortSignal): Promise<SponsorPublicKey> => {
    if (known !== null) return known;
    const answer = await call({ method: 'GET', path: `${version}/publicKey` }, signal);
    const pem = requireText(answer, 'pem');
    requireSum(answer['pemCrc32c'], Buffer.from(pem));
    try {
      known = readSpki(createPublicKey(pem).export({ format: 'der', type: 'spki' }));
    } catch {
      throw new KeyServiceError('wrong_key', 'it is not a public key of Ed25519');
    }
    if (known.scheme !== 'ED25519') throw new KeyServiceError('wrong_key', 'not Ed25519');
    return known;
  };

  return {
    readAddress: async (signal) => (await readKey(signal)).address,
    async sign({ digest }, signal) {
      const key = await readKey(signal);
      const data = Buffer.from(digest);
      const body = { data: data.toString('base64'), dataCrc32c: String(crc32c(data)) };
      const answer = await call(
        { method: 'POST', path: `${version}:asymmetricSign`, body },
        signal,
      );
      if (answer['verifiedDataCrc32c'] !== true) {
        throw new KeyServiceError('malformed', 'it has not verified the checksum of the request');
      }
      const signature = Buffer.from(requireText(answer, 'signature'), 'base64');
      requireSum(answer['signatureCrc32c'], signature);
      return { key, signature };
    },
  };
}

async function readAccessToken(auth: GoogleAuth): Promise<string> {
  const token = await auth.getAccessToken().catch(refuse);
  if (token) return token;
  throw new KeyServiceError('refused', 'there is no access token: check the credentials');
}

/** Names the status or the code only: errors of the library may quote its requests. */
function refuse(error: unknown): never {
  const { status, code } = error as { readonly status?: number; readonly code?: number | string };
  const known = Number(status ?? code);
  const message = `no access token: ${known ? `HTTP status ${known}` : String(code ?? 'check the credentials')}`;
  if (known === 429) throw new KeyServiceError('throttled', message);
  const isDenied = (known >= 400 && known < 500) || (!known && code === undefined);
  throw new KeyServiceError(isDenied ? 'refused' : 'unreachable', message);
}

function requireSum(sum: unknown, bytes: Uint8Array): void {
  if (String(sum) === String(crc32c(bytes))) return;
  throw new KeyServiceError('malformed', 'its answer does not have its checksum');
}
