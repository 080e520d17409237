import type { SignerKind } from '@forecourt/ledger';

export type ServiceKind = Exclude<SignerKind, 'local'>;

const COMMON = ['address', 'timeout-ms', 'in-flight'] as const;

/** The parameters of each kind of URL. Those that end in `-file` name a file with the value. */
export const PARAMETERS = {
  sidecar: ['token', 'token-file', 'alias', 'ca-file'],
  vault: [
    'auth',
    'auth-mount',
    'token',
    'token-file',
    'role',
    'jwt-file',
    'role-id',
    'secret-id',
    'secret-id-file',
    'namespace',
    'ca-file',
  ],
  'aws-kms': ['region', 'endpoint'],
  'gcp-kms': ['endpoint'],
  'azure-kv': [
    'tenant',
    'client-id',
    'client-secret-file',
    'assertion-file',
    'authority',
    'identity-endpoint',
    'endpoint',
  ],
} as const satisfies Record<ServiceKind, readonly string[]>;

export type ParameterName =
  (typeof COMMON)[number] | (typeof PARAMETERS)[keyof typeof PARAMETERS][number];

const BOUNDS = { 'timeout-ms': [50, 30_000], 'in-flight': [1, 1_000] } as const;

/** Throws `TypeError` naming the parameter, never with its value. */
export function readParameters(
  kind: ServiceKind,
  given: URLSearchParams,
): Readonly<Partial<Record<ParameterName, string>>> {
  const known: readonly string[] = [...COMMON, ...PARAMETERS[kind]];
  const read: Record<string, string> = {};
  for (const [name, value] of given) {
    if (!known.includes(name)) {
      throw new TypeError(`unknown parameter ${shorten(name)}; known are ${known.join(', ')}`);
    }
    if (value === '') throw new TypeError(`${name} is empty`);
    if (Object.hasOwn(read, name)) throw new TypeError(`${name} is given twice`);
    read[name] = value;
  }
  for (const [name, [min, max]] of Object.entries(BOUNDS)) {
    const text = read[name];
    if (text === undefined) continue;
    if (!/^\d{1,6}$/.test(text) || Number(text) < min || Number(text) > max) {
      throw new TypeError(`${name} must be an integer from ${min} to ${max}`);
    }
  }
  return read;
}

/** A secret pasted into the place of a name does not appear in full. */
function shorten(name: string): string {
  return name.length > 16 ? `${name.slice(0, 8)}…` : name;
}
