import { describe, expect, it } from '@jest/globals';
import { HeldKey } from '@forecourt/testing/key-services';
import { parseKeyEntries } from './key-entries.js';

const { address, keypair } = new HeldKey('ed25519');
const SECRET = 'hunter2-hunter2';

describe('the entries of the sponsors’ keys', () => {
  it.each([
    [
      'sidecar',
      `sidecar+http://localhost:3000/aws-kms/?token=${SECRET}`,
      'sidecar://localhost:3000/aws-kms',
    ],
    ['sidecar', 'sidecar+https://[::1]:3000?alias=hot', 'sidecar://[::1]:3000/'],
    ['vault', 'vault://v:8200/team/transit/key?auth=approle', 'vault://v:8200/team/transit/key'],
    [
      'aws-kms',
      'aws-kms:///arn:aws:kms:eu-central-1:111122223333:key/mrk-1?timeout-ms=500',
      'aws-kms:///arn:aws:kms:eu-central-1:111122223333:key/mrk-1',
    ],
    [
      'gcp-kms',
      'gcp-kms:///projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1',
      'gcp-kms:///projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1',
    ],
    [
      'azure-kv',
      'azure-kv://v.vault.azure.net/keys/k/0a',
      'azure-kv://v.vault.azure.net/keys/k/0a',
    ],
  ])('reads a URL of %s, whose name holds no parameters', (kind, url, name) => {
    const text = `${url}${url.includes('?') ? '&' : '?'}address=${address}`;
    const [entry] = parseKeyEntries([text]);
    expect(entry).toMatchObject({ kind, name, address });
  });

  it('reads a key beside URLs', () => {
    const [entry] = parseKeyEntries([keypair.getSecretKey()]);
    expect(entry).toMatchObject({ signer: { address, kinds: ['local'] } });
  });

  it.each([
    ['an unknown kind', `pkcs11://token?pin=${SECRET}`, /begins with pkcs11:/],
    ['a cloud without TLS', `aws-kms+http:///k?address=${address}`, /begins with aws-kms\+http/],
    [
      'no address',
      `vault://v/transit/k?token=${SECRET}`,
      /vault:\/\/v\/transit\/k: address must be/,
    ],
    ['half of an address', `vault://v/transit/k?address=0x12&token=${SECRET}`, /address must be/],
    [
      'an unknown parameter',
      `vault://v/transit/k?address=${address}&tokn=${SECRET}`,
      /parameter tokn/,
    ],
    ['a secret as a name', `vault://v/transit/k?${SECRET}${SECRET}=1`, /parameter hunter2-…/],
    [
      'a parameter twice',
      `vault://v/transit/k?token=${SECRET}&token=${SECRET}`,
      /token is given twice/,
    ],
    ['no key', `vault://v/transit?address=${address}&token=${SECRET}`, /does not name a key/],
    [
      'a password',
      `sidecar+https://u:${SECRET}@h/?address=${address}`,
      /takes no user and password/,
    ],
    ['no host', `sidecar+https:///x?address=${address}&token=${SECRET}`, /the host is missing/],
    ['a host, which this kind lacks', `aws-kms://host/k?address=${address}`, /three slashes/],
    ['a bound', `vault://v/transit/k?timeout-ms=1&token=${SECRET}`, /from 50 to 30000/],
    ['a malformed URL', `vault://v:port/transit/k?token=${SECRET}`, /malformed/],
    ['a malformed key', SECRET, /a sponsor key must be/],
  ])('refuses %s, by its position and without its secret', (_what, text, message) => {
    let error = new Error();
    try {
      parseKeyEntries([keypair.getSecretKey(), text]);
    } catch (thrown) {
      error = thrown as Error;
    }
    expect(error.message).toMatch(message);
    expect(error.message).toContain('Entry 2 of the sponsors’ keys');
    expect(error.message).not.toContain(SECRET);
  });
});
