import { readRawKey, type SponsorPublicKey } from '@forecourt/ledger';
import type { KeyService, KeyServiceKind, ServiceEntry } from '../key-service.js';
import { KeyServiceError } from '../key-service-error.js';
import { readSecret, requireText } from './read-text.js';
import { type ServiceCall, ServiceConnection } from './service-connection.js';

const SIGNATURE_END = 65;
/** The spellings of the published sidecars. */
const ADDRESS_FIELDS = ['iotaPubkeyAddress', 'suiPubkeyAddress'] as const;

const PARAMETERS = ['token', 'token-file', 'alias', 'ca-file'] as const;

type Entry = ServiceEntry<(typeof PARAMETERS)[number]>;

/** A sidecar of the public gas stations. */
export const sidecar: KeyServiceKind<(typeof PARAMETERS)[number]> = {
  needsHost: true,
  mayBePlain: true,
  path: /^/,
  parameters: PARAMETERS,
  open,
};

function open({ protocol, host, path, parameters }: Entry): KeyService {
  const { token, alias } = parameters;
  const connection = new ServiceConnection(`${protocol}//${host}`, parameters['ca-file']);
  const base = path === '' ? '' : `/${path}`;
  const query = alias === undefined ? '' : `?${new URLSearchParams({ alias }).toString()}`;
  const call = async (call: ServiceCall, signal: AbortSignal) => {
    // Read for each request, since a mounted token is replaced.
    const bearer = await readSecret(token, parameters['token-file']);
    const headers: Record<string, string> =
      bearer === null ? {} : { authorization: `Bearer ${bearer}` };
    const target = { ...call, path: `${base}${call.path}${query}`, headers };
    return (await connection.call(target, signal)).body;
  };
  let known: KnownKey | null = null;
  /** Each answer repeats the key, which takes as long to read as a signature to verify. */
  const keyOf = (serialized: Buffer): SponsorPublicKey => {
    const key = Buffer.concat([serialized.subarray(0, 1), serialized.subarray(SIGNATURE_END)]);
    if (!known?.serialized.equals(key)) known = { serialized: key, key: readKey(key) };
    return known.key;
  };
  return {
    async readAddress(signal) {
      const answer = await call({ method: 'GET', path: '/get-pubkey-address' }, signal);
      const [iota, sui] = ADDRESS_FIELDS;
      return requireText(answer, sui in answer && !(iota in answer) ? sui : iota);
    },
    async sign({ bytes }, signal) {
      const body = { txBytes: Buffer.from(bytes).toString('base64') };
      const answer = await call({ method: 'POST', path: '/sign-transaction', body }, signal);
      const raw = Buffer.from(requireText(answer, 'signature'), 'base64');
      return { key: keyOf(raw), signature: raw.subarray(1, SIGNATURE_END) };
    },
  };
}

/** `serialized`: flag‖public key. */
interface KnownKey {
  readonly serialized: Buffer;
  readonly key: SponsorPublicKey;
}

function readKey(serialized: Buffer): SponsorPublicKey {
  try {
    return readRawKey(serialized[0] ?? -1, serialized.subarray(1));
  } catch {
    throw new KeyServiceError('malformed', 'the signature is not flag‖signature‖public key');
  }
}
