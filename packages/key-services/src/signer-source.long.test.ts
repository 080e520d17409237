import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { buildProbe, SigningFailed, type SigningFault } from '@forecourt/ledger';
import { TemporaryFolder } from '@forecourt/testing/jest';
import {
  type HeldScheme,
  type KeyFault,
  KeyServer,
  type Protocol,
} from '@forecourt/testing/key-services';
import { verifyTransactionSignature } from '@iota/iota-sdk/verify';
import { examineKeyService, type KeyFinding } from './examine-key-service.js';
import { parseKeyEntries } from './key-entries.js';
import type { ServiceEntry } from './key-service.js';
import { SignerSource } from './signer-source.js';

const SECRET = 'hunter2-hunter2';
const folder = new TemporaryFolder();
const usual: Readonly<Partial<Record<Protocol, Record<string, string>>>> = {
  sidecar: { token: SECRET, alias: 'hot' },
  'sui-sidecar': { 'token-file': folder.write('token', `${SECRET}\n`) },
  vault: { token: SECRET },
  'azure-kv': {
    tenant: 't',
    'client-id': 'c',
    'client-secret-file': folder.write('azure', SECRET),
  },
};
const kinds: [Protocol, HeldScheme][] = [
  ['sidecar', 'ed25519'],
  ['sidecar', 'secp256k1'],
  ['sui-sidecar', 'ed25519'],
  ['vault', 'ed25519'],
  ['aws-kms', 'ed25519'],
  ['aws-kms', 'secp256k1'],
  ['gcp-kms', 'ed25519'],
  ['azure-kv', 'secp256k1'],
];
/** The name under which each fault appears, where the protocol can have it. */
const faults: [KeyFault, Partial<Record<HeldScheme, SigningFault>>][] = [
  ['throttled', { ed25519: 'throttled', secp256k1: 'throttled' }],
  ['down', { ed25519: 'unreachable', secp256k1: 'unreachable' }],
  ['hanging', { ed25519: 'timeout', secp256k1: 'timeout' }],
  ['refused', { ed25519: 'refused', secp256k1: 'refused' }],
  ['truncated', { ed25519: 'unreachable', secp256k1: 'unreachable' }],
  ['wrong-key', { ed25519: 'wrong_key', secp256k1: 'wrong_key' }],
  ['wrong-signature', { ed25519: 'wrong_signature', secp256k1: 'wrong_signature' }],
];

/**
 * Time ends a request where nothing else does: a busy machine, or the pauses of Google's client, may take
 * seconds.
 */
const limitOf = (fault: KeyFault) => ({ 'timeout-ms': fault === 'hanging' ? '50' : '30000' });

/** The SDKs of clouds read these. */
function setCredentials(tokenUrl: string): void {
  const account = {
    type: 'external_account',
    audience:
      '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/p',
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    token_url: tokenUrl,
    credential_source: { file: folder.write('subject', SECRET) },
  };
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: SECRET,
    GOOGLE_APPLICATION_CREDENTIALS: folder.write('google.json', JSON.stringify(account)),
  });
}

const seen: string[] = [];
const source = () =>
  new SignerSource({
    onRequest: ({ name }, outcome) => void seen.push(`${name} ${outcome}`),
    onOutage: ({ name }, failure) => void seen.push(`${name} ${failure?.message ?? 'ended'}`),
  });
const signerOf = (server: KeyServer, parameters: Record<string, string> = {}) =>
  source().read([server.entry(parameters)])[0]!;
async function examined(entry: ServiceEntry): Promise<KeyFinding[]> {
  const findings: KeyFinding[] = [];
  for await (const finding of examineKeyService(entry)) findings.push(finding);
  return findings;
}

const failureOf = (signing: Promise<unknown>) =>
  signing.then(
    () => null,
    (error: unknown) => error as SigningFailed,
  );

afterAll(() => folder.remove());

describe.each(kinds)('a key in %s with %s', (protocol, scheme) => {
  const parameters = { ...usual[protocol], 'timeout-ms': '1500' };
  let server: KeyServer;
  let bytes: Uint8Array;
  beforeAll(async () => {
    server = await KeyServer.start({ protocol, scheme });
    setCredentials(`http://${server.host}/token`);
    bytes = await buildProbe(server.key.address);
  });
  afterEach(() => {
    Object.assign(server, { fault: null, delayMs: 0, faultyRequests: Infinity });
  });
  afterAll(() => server.stop());

  it('signs transactions as the SDK verifies them', async () => {
    const signer = signerOf(server, parameters);
    expect(signer.address).toBe(server.key.address);
    for (let round = 0; round < 8; round++) {
      const signature = await signer.signTransaction(bytes);
      await verifyTransactionSignature(bytes, signature, { address: server.key.address });
    }
    expect(signer.outageMs).toBeNull();
  });

  it.each(faults)(
    'names the fault when the service is %s, and no secret',
    async (fault, faultsByScheme) => {
      server.fault = fault;
      const limits = { ...parameters, ...limitOf(fault) };
      const failure = await failureOf(signerOf(server, limits).check());
      expect(failure).toBeInstanceOf(SigningFailed);
      expect(failure).toMatchObject({ fault: faultsByScheme[scheme] });
      expect(failure!.message).toContain(`Signer ${protocol.replace('sui-', '')}://`);
      expect(failure!.retryAfterMs).toBeGreaterThanOrEqual(1_000);
      expect([failure!.message, ...seen].join('\n')).not.toContain(SECRET);
    },
  );

  it('repeats a request that is throttled', async () => {
    Object.assign(server, { fault: 'throttled', faultyRequests: 2 });
    const signature = await signerOf(server, parameters).signTransaction(bytes);
    await verifyTransactionSignature(bytes, signature);
  });

  it('is examined end to end', async () => {
    const text = server.entry(parameters).replace(/address=0x\w+&?/, '');
    const [entry] = parseKeyEntries([text], { needsAddress: false });
    const findings = await examined(entry as ServiceEntry);
    expect(findings.map(({ verdict }) => verdict)).toEqual(['fine', 'fine']);
    expect(findings[0]!.answer).toContain(`address=${server.key.address}`);
    server.fault = 'wrong-signature';
    const broken = await examined(entry as ServiceEntry);
    expect(broken.at(-1)).toMatchObject({ verdict: 'missing', answer: 'wrong_signature' });
  });
});

describe('a signature of secp256k1', () => {
  it.each<[Protocol, KeyFault, SigningFault]>([
    ['sidecar', 'high-s', 'high_s'],
    ['sidecar', 'bad-der', 'malformed'],
    ['aws-kms', 'bad-der', 'malformed'],
    ['azure-kv', 'bad-der', 'malformed'],
  ])('of %s that is %s is refused', async (protocol, fault, expectedFault) => {
    const server = await KeyServer.start({ protocol, scheme: 'secp256k1' });
    server.fault = fault;
    const failure = await failureOf(signerOf(server, usual[protocol]).check());
    expect(failure).toMatchObject({ fault: expectedFault });
    await server.stop();
  });

  it('of a Google key is not expected, nor an answer without its checksum', async () => {
    const server = await KeyServer.start({ protocol: 'gcp-kms' });
    setCredentials(`http://${server.host}/token`);
    server.fault = 'bad-der';
    expect(await failureOf(signerOf(server).check())).toMatchObject({ fault: 'malformed' });
    await server.stop();
  });
});

describe('a login at Azure', () => {
  let server: KeyServer;
  beforeEach(async () => {
    server = await KeyServer.start({ protocol: 'azure-kv', scheme: 'secp256k1' });
  });
  afterEach(() => server.stop());
  const application = {
    tenant: 't',
    'client-id': 'c',
    'assertion-file': folder.write('assertion', 'a'),
  };

  it.each([
    ['v.vault.azure.net', 'vault.azure.net'],
    ['v.vault.usgovcloudapi.net', 'vault.usgovcloudapi.net'],
    ['v.managedhsm.azure.net', 'managedhsm.azure.net'],
  ])('at %s is for the resource of its cloud', async (host, resource) => {
    const entry = server.entry(application).replace('v.vault.azure.net', host);
    await source().read([entry])[0]!.check();
    const login = new URLSearchParams(server.requests[0]!.text);
    expect(login.get('scope')).toBe(`https://${resource}/.default`);
  });

  it('asks the machine for a token where no tenant is given', async () => {
    const identity = { 'identity-endpoint': `http://${server.host}`, 'client-id': 'c' };
    await signerOf(server, identity).check();
    const { url, headers } = server.requests[0]!;
    const { pathname, searchParams } = new URL(url, 'http://any');
    expect([pathname, headers['metadata']]).toEqual(['/metadata/identity/oauth2/token', 'true']);
    expect(searchParams.get('resource')).toBe('https://vault.azure.net');
    expect(searchParams.get('client_id')).toBe('c');
  });
});

describe('a session at Vault', () => {
  it.each([
    ['approle', { auth: 'approle', 'role-id': 'r', 'secret-id': SECRET }],
    ['kubernetes', { auth: 'kubernetes', role: 'r', 'jwt-file': folder.write('jwt', SECRET) }],
  ])('logs in with %s, and again when its token is denied', async (method, parameters) => {
    const server = await KeyServer.start({ protocol: 'vault' });
    const signer = signerOf(server, parameters);
    server.tokens = new Set(['login-token']);
    await signer.check();
    const logins = () => server.requests.filter(({ url }) => url === `/v1/auth/${method}/login`);
    expect(logins()).toHaveLength(1);
    Object.assign(server, { fault: 'refused', faultyRequests: 1 });
    await signer.check();
    expect(logins()).toHaveLength(2);
    await server.stop();
  });

  it('signs requests of the same moment with one call', async () => {
    const server = await KeyServer.start({ protocol: 'vault' });
    const signer = signerOf(server, { token: SECRET });
    await signer.check();
    const before = server.requests.length;
    await Promise.all(Array.from({ length: 40 }, () => signer.check()));
    expect(server.requests.length - before).toBeLessThan(10);
    await server.stop();
  });
});
