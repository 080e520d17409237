import type { KMSClientConfig, SigningAlgorithmSpec } from '@aws-sdk/client-kms';
import { readSpki, type SponsorPublicKey } from '@forecourt/ledger';
import type { KeyService, KeyServiceKind, ServiceEntry } from '../key-service.js';
import { KeyServiceError } from '../key-service-error.js';
import { readDerSignature } from '../signing/read-der-signature.js';

const ALGORITHMS = {
  ED25519: 'ED25519_SHA_512',
  Secp256k1: 'ECDSA_SHA_256',
} as const satisfies Record<SponsorPublicKey['scheme'], SigningAlgorithmSpec>;
const ARN_REGION = /^arn:[^:]+:kms:([^:]+):/;

const PARAMETERS = ['region', 'endpoint'] as const;

type Entry = ServiceEntry<(typeof PARAMETERS)[number]>;

/** AWS KMS, with an Ed25519 or secp256k1 key. The SDK finds the credentials. */
export const awsKms: KeyServiceKind<(typeof PARAMETERS)[number]> = {
  needsHost: false,
  mayBePlain: false,
  path: /./,
  parameters: PARAMETERS,
  open,
};

async function open({ path: KeyId, parameters }: Entry): Promise<KeyService> {
  const { GetPublicKeyCommand, KMSClient, SignCommand } = await import('@aws-sdk/client-kms');
  const { endpoint } = parameters;
  const region = parameters.region ?? ARN_REGION.exec(KeyId)?.[1];
  // Repetitions are the signer's.
  const config: KMSClientConfig = { maxAttempts: 1 };
  if (region !== undefined) config.region = region;
  if (endpoint !== undefined) config.endpoint = endpoint;
  const client = new KMSClient(config);
  let known: SponsorPublicKey | null = null;

  const readKey = async (abortSignal: AbortSignal): Promise<SponsorPublicKey> => {
    if (known !== null) return known;
    const answer = client.send(new GetPublicKeyCommand({ KeyId }), { abortSignal });
    const { PublicKey } = await answer.catch(refuse);
    try {
      known = readSpki(PublicKey ?? new Uint8Array());
    } catch (error) {
      throw new KeyServiceError('wrong_key', (error as Error).message);
    }
    return known;
  };

  return {
    readAddress: async (signal) => (await readKey(signal)).address,
    async sign({ digest }, abortSignal) {
      const key = await readKey(abortSignal);
      const SigningAlgorithm = ALGORITHMS[key.scheme];
      const request = { KeyId, SigningAlgorithm, MessageType: 'RAW', Message: digest } as const;
      const answer = client.send(new SignCommand(request), { abortSignal });
      const { Signature = new Uint8Array() } = await answer.catch(refuse);
      const isDer = key.scheme === 'Secp256k1';
      return { key, signature: isDer ? readDerSignature(Signature) : Signature };
    },
  };
}

/** Names the error only: its message may quote the request. */
function refuse(error: unknown): never {
  const { name, $metadata, $retryable } = error as {
    name: string;
    $metadata?: { readonly httpStatusCode?: number };
    $retryable?: { readonly throttling?: boolean };
  };
  const status = $metadata?.httpStatusCode;
  if (name === 'AbortError' || name === 'TimeoutError') throw new KeyServiceError('timeout', name);
  if (
    $retryable?.throttling ||
    /Throttl|LimitExceeded|TooManyRequests/.test(name) ||
    status === 429
  ) {
    throw new KeyServiceError('throttled', name);
  }
  const isDenied = status !== undefined && status >= 400 && status < 500;
  throw new KeyServiceError(isDenied ? 'refused' : 'unreachable', name);
}
