import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

export interface Certificate {
  /** PEM of the private key. */
  readonly key: string;
  /** PEM; signed by its own key, so that it is its authority too. */
  readonly cert: string;
}

interface Validity {
  readonly host?: string;
  readonly from?: Date;
  readonly until?: Date;
}

const DAY_MS = 86_400_000;
const [SEQUENCE, SET, INTEGER, BITS, OCTETS, OBJECT_ID, UTF8, UTC_TIME] = [
  0x30, 0x31, 0x02, 0x03, 0x04, 0x06, 0x0c, 0x17,
];
const [VERSION, EXTENSIONS, IP_ADDRESS] = [0xa0, 0xa3, 0x87];
const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const SUBJECT_ALT_NAME = '551d11';
const LONG_FORM = 0x80;

/** A certificate of an IPv4 address, valid for a day by default. */
export function createCertificate({
  host = '127.0.0.1',
  from = new Date(Date.now() - DAY_MS),
  until = new Date(Date.now() + DAY_MS),
}: Validity = {}): Certificate {
  if (!isIPv4(host)) throw new TypeError(`${host} is not an IPv4 address`);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(SEQUENCE, objectId(ECDSA_WITH_SHA256));
  const commonName = der(SEQUENCE, objectId(COMMON_NAME), der(UTF8, Buffer.from('key service')));
  const name = der(SEQUENCE, der(SET, commonName));
  const address = der(SEQUENCE, der(IP_ADDRESS, Buffer.from(host.split('.').map(Number))));
  const extension = der(SEQUENCE, objectId(SUBJECT_ALT_NAME), der(OCTETS, address));
  const body = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, Buffer.of(2))),
    der(INTEGER, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    algorithm,
    name,
    der(SEQUENCE, utcTime(from), utcTime(until)),
    name,
    publicKey.export({ format: 'der', type: 'spki' }),
    der(EXTENSIONS, der(SEQUENCE, extension)),
  );
  const signature = Buffer.concat([Buffer.of(0), sign('sha256', body, privateKey)]);
  const cert = der(SEQUENCE, body, algorithm, der(BITS, signature));
  const lines = cert.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return {
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(parts);
  const { length } = value;
  const long = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, '0'), 'hex');
  const size =
    length < LONG_FORM ? long : Buffer.concat([Buffer.of(LONG_FORM | long.length), long]);
  return Buffer.concat([Buffer.of(tag), size, value]);
}

function objectId(hex: string): Buffer {
  return der(OBJECT_ID, Buffer.from(hex, 'hex'));
}

function utcTime(date: Date): Buffer {
  const digits = date.toISOString().replace(/\D/g, '').slice(2, 14);
  return der(UTC_TIME, Buffer.from(`${digits}Z`));
}
