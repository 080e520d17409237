import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { crc32c } from './castagnoli.js';
import { type HeldKey, toDer, withHighS } from './held-key.js';
import type { KeyFault } from './key-fault.js';

export interface KeyRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Signing {
  readonly key: HeldKey;
  readonly fault: KeyFault | null;
}

interface ProtocolServer {
  /** Its entry of SPONSOR_KEYS up to the parameters. */
  url(host: string, isTls: boolean): string;
  answer(request: KeyRequest, signing: Signing, isKnown: boolean): Answer | Promise<Answer>;
}

export type Protocol = 'sidecar' | 'sui-sidecar' | 'vault' | 'aws-kms' | 'gcp-kms' | 'azure-kv';

const DENIED: Answer = { status: 403, body: { errors: ['permission denied'] } };
const UNKNOWN: Answer = { status: 404, body: { errors: [] } };
const LEASE_SECS = 3_600;

async function signWith({ key, fault }: Signing, message: Uint8Array): Promise<Uint8Array> {
  const signed = fault === 'wrong-signature' ? Buffer.concat([message, Buffer.of(1)]) : message;
  const signature = await key.sign(signed);
  return fault === 'high-s' ? withHighS(signature) : signature;
}

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

/** Sidecars differ in the spelling of a field and in the folder below which they serve. */
function sidecar(folder: string, field: string): ProtocolServer {
  return {
    url: (host, isTls) => `sidecar+${isTls ? 'https' : 'http'}://${host}${folder}?`,
    async answer({ url, text }, signing, isKnown) {
      if (!isKnown) return DENIED;
      const { key, fault } = signing;
      const { pathname } = new URL(url, 'http://any');
      if (pathname === `${folder}/get-pubkey-address`) {
        return { status: 200, body: { [field]: key.address } };
      }
      if (pathname !== `${folder}/sign-transaction`) return UNKNOWN;
      const { txBytes } = JSON.parse(text) as { txBytes: string };
      const signature = await key.signTransaction(Buffer.from(txBytes, 'base64'));
      const serialized = Buffer.from(signature, 'base64');
      if (fault === 'wrong-signature') serialized[10]! ^= 1;
      if (fault === 'high-s') serialized.set(withHighS(serialized.subarray(1, 65)), 1);
      if (fault === 'bad-der')
        return { status: 200, body: { signature: base64(serialized.subarray(2)) } };
      return { status: 200, body: { signature: base64(serialized) } };
    },
  };
}

const vault: ProtocolServer = {
  url: (host, isTls) => `vault${isTls ? '' : '+http'}://${host}/transit/sponsor?`,
  async answer({ url, text }, signing, isKnown) {
    const { key } = signing;
    if (/^\/v1\/auth\/\w+\/login$/.test(url)) return { status: 200, body: login('login-token') };
    if (url === '/v1/auth/token/renew-self') return { status: 200, body: login('login-token') };
    if (!isKnown) return DENIED;
    if (url === '/v1/auth/token/lookup-self') {
      return { status: 200, body: { data: { ttl: LEASE_SECS, renewable: true } } };
    }
    if (url === '/v1/transit/keys/sponsor') {
      const keys = { '1': { public_key: base64(key.raw) } };
      return { status: 200, body: { data: { type: 'ed25519', keys } } };
    }
    if (url !== '/v1/transit/sign/sponsor') return UNKNOWN;
    const { batch_input: inputs } = JSON.parse(text) as { batch_input: { input: string }[] };
    const results = inputs.map(async ({ input }) => {
      const signature = await signWith(signing, Buffer.from(input, 'base64'));
      return { signature: `vault:v1:${base64(signature)}` };
    });
    return { status: 200, body: { data: { batch_results: await Promise.all(results) } } };
  },
};

const login = (client_token: string) => ({
  auth: { client_token, lease_duration: LEASE_SECS, renewable: true },
});

const awsKms: ProtocolServer = {
  url: (host) => `aws-kms:///alias/sponsor?region=eu-central-1&endpoint=http://${host}&`,
  async answer({ headers, text }, signing, isKnown) {
    const failed = (status: number, name: string): Answer => ({ status, body: { __type: name } });
    if (!isKnown) return failed(400, 'AccessDeniedException');
    const operation = String(headers['x-amz-target']);
    const { key, fault } = signing;
    if (operation === 'TrentService.GetPublicKey') {
      return { status: 200, body: { PublicKey: base64(key.spki) } };
    }
    if (operation !== 'TrentService.Sign') return failed(400, 'UnknownOperationException');
    const { Message } = JSON.parse(text) as { Message: string };
    const signature = await signWith(signing, Buffer.from(Message, 'base64'));
    if (key.scheme === 'ed25519') return { status: 200, body: { Signature: base64(signature) } };
    // The service answers either form.
    const either = Math.random() < 0.5 ? signature : withHighS(signature);
    const der = toDer(either);
    const damaged = fault === 'bad-der' ? Buffer.concat([der, Buffer.of(0)]) : der;
    return { status: 200, body: { Signature: base64(damaged) } };
  },
};

const GOOGLE_TOKEN = {
  access_token: 'google-token',
  expires_in: LEASE_SECS,
  token_type: 'Bearer',
  issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
};

const gcpKms: ProtocolServer = {
  url: (host) =>
    `gcp-kms:///projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1?endpoint=http://${host}&`,
  async answer({ url, text }, signing, isKnown) {
    if (url === '/token') return { status: 200, body: GOOGLE_TOKEN };
    if (!isKnown) return DENIED;
    const { key, fault } = signing;
    if (url.endsWith('/publicKey')) {
      const { pem } = key;
      return { status: 200, body: { pem, pemCrc32c: String(crc32c(Buffer.from(pem))) } };
    }
    if (!url.endsWith(':asymmetricSign')) return UNKNOWN;
    const { data } = JSON.parse(text) as { data: string };
    const signature = await signWith(signing, Buffer.from(data, 'base64'));
    const sum = fault === 'bad-der' ? 1 : crc32c(signature);
    const body = {
      signature: base64(signature),
      signatureCrc32c: String(sum),
      verifiedDataCrc32c: true,
    };
    return { status: 200, body };
  },
};

const azureKv: ProtocolServer = {
  url: (host) =>
    `azure-kv://v.vault.azure.net/keys/k/1?endpoint=http://${host}&authority=http://${host}&`,
  async answer({ url, text }, signing, isKnown) {
    if (/^\/metadata\/identity\/oauth2\/token\?|\/oauth2\/v2\.0\/token$/.test(url)) {
      return { status: 200, body: { access_token: 'azure-token', expires_in: 3_600 } };
    }
    if (!isKnown) return DENIED;
    const { key, fault } = signing;
    const { pathname } = new URL(url, 'http://any');
    if (pathname === '/keys/k/1') {
      const { x, y } = key.jwk;
      return { status: 200, body: { key: { kty: 'EC', crv: 'P-256K', x, y } } };
    }
    if (pathname !== '/keys/k/1/sign') return UNKNOWN;
    const { value } = JSON.parse(text) as { value: string };
    const digest = Buffer.from(value, 'base64url');
    const signed =
      fault === 'wrong-signature' ? createHash('sha256').update(digest).digest() : digest;
    const lower = key.signHash(signed);
    // The service answers either form.
    const signature = Math.random() < 0.5 ? lower : withHighS(lower);
    const short = fault === 'bad-der' ? signature.subarray(1) : signature;
    return { status: 200, body: { kid: 'k', value: Buffer.from(short).toString('base64url') } };
  },
};

export const protocols: Readonly<Record<Protocol, ProtocolServer>> = {
  sidecar: sidecar('', 'iotaPubkeyAddress'),
  'sui-sidecar': sidecar('/aws-kms', 'suiPubkeyAddress'),
  vault,
  'aws-kms': awsKms,
  'gcp-kms': gcpKms,
  'azure-kv': azureKv,
};
