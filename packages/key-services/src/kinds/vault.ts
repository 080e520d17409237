import { readRawKey, type SponsorPublicKey } from '@forecourt/ledger';
import type { KeyService, KeyServiceKind, ServiceEntry, ServiceSignature } from '../key-service.js';
import { KeyServiceError } from '../key-service-error.js';
import { requireText } from './read-text.js';
import { ServiceConnection } from './service-connection.js';
import { SigningBatches } from './signing-batches.js';
import { SESSION_PARAMETERS, VaultSession } from './vault-session.js';

const PREFIX = /^vault:v(\d+):(.+)$/;

interface KeyVersion {
  readonly version: number;
  readonly key: SponsorPublicKey;
}

const PARAMETERS = [...SESSION_PARAMETERS, 'ca-file'] as const;

type Entry = ServiceEntry<(typeof PARAMETERS)[number]>;

/** The transit engine of Vault or OpenBao, with an Ed25519 key. */
export const vault: KeyServiceKind<(typeof PARAMETERS)[number]> = {
  needsHost: true,
  mayBePlain: true,
  path: /^.+\/[^/]+$/,
  parameters: PARAMETERS,
  open,
};

function open(entry: Entry): KeyService {
  const { protocol, host, path, parameters } = entry;
  const connection = new ServiceConnection(`${protocol}//${host}`, parameters['ca-file']);
  const session = new VaultSession(connection, parameters);
  const slash = path.lastIndexOf('/');
  const [mount, name] = [path.slice(0, slash), path.slice(slash + 1)].map(encodeURI);
  let known: KeyVersion | null = null;

  const readVersion = async (signal: AbortSignal): Promise<KeyVersion> => {
    if (known !== null) return known;
    const { body } = await session.call(
      { method: 'GET', path: `/v1/${mount}/keys/${name}` },
      signal,
    );
    known = chooseVersion(body['data'], entry.address);
    return known;
  };

  const batches = new SigningBatches(async (digests, signal) => {
    const { version, key } = await readVersion(signal);
    const body = {
      batch_input: digests.map((digest) => ({ input: Buffer.from(digest).toString('base64') })),
      key_version: version,
    };
    const request = {
      method: 'POST',
      path: `/v1/${mount}/sign/${name}`,
      body,
      accept: [400],
    } as const;
    const answer = await session.call(request, signal);
    const results = (answer.body['data'] as { batch_results?: unknown } | undefined)?.batch_results;
    if (answer.status === 400 && !Array.isArray(results)) {
      throw new KeyServiceError('refused', 'HTTP status 400');
    }
    if (!Array.isArray(results) || results.length !== digests.length) {
      throw new KeyServiceError('malformed', 'its answer has not as many results as requests');
    }
    return results.map((result) => readResult(result, key));
  });

  return {
    readAddress: async (signal) => (await readVersion(signal)).key.address,
    sign: ({ digest }, signal) => batches.sign(digest, signal),
  };
}

/**
 * The version whose key is the sponsor's, so that a rotation in Vault changes nothing; otherwise the latest
 * one.
 */
function chooseVersion(data: unknown, address: string | null): KeyVersion {
  const { keys, type } = (data ?? {}) as { keys?: Record<string, unknown>; type?: unknown };
  if (type !== 'ed25519' || typeof keys !== 'object' || keys === null) {
    throw new KeyServiceError('wrong_key', 'it is not an Ed25519 key');
  }
  const versions = Object.entries(keys).map(([version, value]) => ({
    version: Number(version),
    key: readKey(requireText(value, 'public_key')),
  }));
  const latest = versions.sort((a, b) => b.version - a.version)[0];
  if (latest === undefined) throw new KeyServiceError('malformed', 'the key has no version');
  return versions.find(({ key }) => key.address === address) ?? latest;
}

function readKey(base64: string): SponsorPublicKey {
  try {
    return readRawKey('ED25519', Buffer.from(base64, 'base64'));
  } catch {
    throw new KeyServiceError('malformed', 'its public key is malformed');
  }
}

function readResult(result: unknown, key: SponsorPublicKey): ServiceSignature | KeyServiceError {
  const { signature } = (result ?? {}) as { signature?: unknown };
  const encoded = typeof signature === 'string' ? PREFIX.exec(signature)?.[2] : undefined;
  if (encoded === undefined) return new KeyServiceError('malformed', 'a result has no signature');
  return { key, signature: Buffer.from(encoded, 'base64') };
}
