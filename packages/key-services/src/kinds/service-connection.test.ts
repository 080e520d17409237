import { SigningFailed } from '@forecourt/ledger';
import { TemporaryFolder } from '@forecourt/testing/jest';
import { type Certificate, createCertificate, KeyServer } from '@forecourt/testing/key-services';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { SignerSource } from '../signer-source.js';

const PROTOCOLS = ['sidecar', 'vault'] as const;
const folder = new TemporaryFolder();
const servers: KeyServer[] = [];
const outages: string[] = [];
const source = new SignerSource({
  onRequest: () => undefined,
  onOutage: ({ sponsor }, failure) =>
    void outages.push(`${sponsor} ${failure?.message ?? 'ended'}`),
});

afterEach(async () => {
  outages.length = 0;
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});
afterAll(() => folder.remove());

/** A key service with this certificate, and the signer that trusts it. */
async function serve(
  protocol: (typeof PROTOCOLS)[number],
  tls: Certificate,
  trusted: string | null = tls.cert,
) {
  const server = await KeyServer.start({ protocol, tls });
  servers.push(server);
  const parameters: Record<string, string> = protocol === 'vault' ? { token: 't' } : {};
  if (trusted !== null) parameters['ca-file'] = folder.write(`ca-${servers.length}.pem`, trusted);
  const [signer] = source.read([server.entry(parameters)]);
  return { server, signer: signer! };
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

describe.each(PROTOCOLS)('the certificate of a %s', (protocol) => {
  it.each<[string, string, Certificate, string | null | undefined]>([
    ['has expired', 'CERT_HAS_EXPIRED', createCertificate({ until: inDays(-0.5) }), undefined],
    ['is not valid yet', 'CERT_NOT_YET_VALID', createCertificate({ from: inDays(0.5) }), undefined],
    [
      'belongs to another host',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      createCertificate({ host: '127.0.0.2' }),
      undefined,
    ],
    [
      'is signed by an unknown authority',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      createCertificate(),
      createCertificate().cert,
    ],
    ['is not trusted at all', 'DEPTH_ZERO_SELF_SIGNED_CERT', createCertificate(), null],
  ])('is refused when it %s: no request is sent', async (_what, cause, tls, trusted) => {
    const { server, signer } = await serve(protocol, tls, trusted);
    const failure = await signer
      .signTransaction(new Uint8Array(9))
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SigningFailed);
    expect(failure).toMatchObject({ fault: 'unreachable' });
    expect((failure as Error).message).toContain(cause);
    expect(server.requests).toEqual([]);
  });

  it('is accepted when its authority is trusted', async () => {
    const { signer } = await serve(protocol, createCertificate());
    await signer.check();
    expect(signer.outageMs).toBeNull();
  });

  it('takes only its sponsor out of service when it has expired', async () => {
    const expired = await serve(protocol, createCertificate({ until: inDays(-0.5) }));
    const valid = await serve(protocol, createCertificate());
    for (let round = 0; round < 2; round++) {
      await expect(expired.signer.check()).rejects.toThrow('CERT_HAS_EXPIRED');
    }
    await valid.signer.check();
    expect(expired.signer.outageMs).not.toBeNull();
    expect(valid.signer.outageMs).toBeNull();
    expect(outages).toEqual([expect.stringMatching(/^0x\w+ Signer .*CERT_HAS_EXPIRED$/)]);
    expect(outages[0]).toContain(expired.signer.address);
  });
});
