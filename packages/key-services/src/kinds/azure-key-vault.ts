import { createHash } from 'node:crypto';
import { readJwk, type SponsorPublicKey } from '@forecourt/ledger';
import type { KeyService, KeyServiceKind, ServiceEntry } from '../key-service.js';
import { KeyServiceError } from '../key-service-error.js';
import { lowerS } from '../signing/read-der-signature.js';
import { AzureLogin, LOGIN_PARAMETERS } from './azure-login.js';
import { requireText } from './read-text.js';
import { type ServiceCall, ServiceConnection } from './service-connection.js';

const VERSION = 'api-version=7.4';
/** The service's name of the curve secp256k1. */
const CURVE = 'P-256K';

const PARAMETERS = [...LOGIN_PARAMETERS, 'endpoint'] as const;

type Entry = ServiceEntry<(typeof PARAMETERS)[number]>;

/** Azure Key Vault, or a managed HSM, with a secp256k1 key. */
export const azureKeyVault: KeyServiceKind<(typeof PARAMETERS)[number]> = {
  needsHost: true,
  mayBePlain: false,
  path: /^keys\/[^/]+\/[^/]+$/,
  parameters: PARAMETERS,
  open,
};

function open({ host, path, parameters }: Entry): KeyService {
  const connection = new ServiceConnection(parameters.endpoint ?? `https://${host}`);
  const login = new AzureLogin(host, parameters);
  const keyPath = `/${encodeURI(path)}`;
  let known: SponsorPublicKey | null = null;

  const call = async (call: ServiceCall, signal: AbortSignal) => {
    const headers = { authorization: `Bearer ${await login.token(signal)}` };
    return (await connection.call({ ...call, headers }, signal)).body;
  };

  const readKey = async (signal: AbortSignal): Promise<SponsorPublicKey> => {
    if (known !== null) return known;
    const answer = await call({ method: 'GET', path: `${keyPath}?${VERSION}` }, signal);
    const { crv, x, y } = (answer['key'] ?? {}) as Record<string, string>;
    if (crv !== CURVE) throw new KeyServiceError('wrong_key', 'it is not a key of secp256k1');
    try {
      known = readJwk({ kty: 'EC', crv: 'secp256k1', x: x!, y: y! });
    } catch {
      throw new KeyServiceError('malformed', 'its public key is malformed');
    }
    return known;
  };

  return {
    readAddress: async (signal) => (await readKey(signal)).address,
    async sign({ digest }, signal) {
      const key = await readKey(signal);
      const value = createHash('sha256').update(digest).digest('base64url');
      const body = { alg: 'ES256K', value };
      const request = { method: 'POST', path: `${keyPath}/sign?${VERSION}`, body } as const;
      const signature = requireText(await call(request, signal), 'value');
      return { key, signature: lowerS(Buffer.from(signature, 'base64url')) };
    },
  };
}
