import { createLocalSigner, type Signer } from '@forecourt/ledger';
import {
  type ParameterName,
  PARAMETERS,
  readParameters,
  type ServiceKind,
} from './entry-parameters.js';

/** A key in this process. */
export interface LocalEntry {
  readonly kind: 'local';
  readonly signer: Signer;
}

/** A key in a service. */
export interface ServiceEntry {
  readonly kind: ServiceKind;
  /** The URL without its parameters, which may be secret: for logs, errors and metrics. */
  readonly name: string;
  /** Of the sponsor; null where the entry does not name it. */
  readonly address: string | null;
  /** `http:` or `https:`. */
  readonly protocol: string;
  /** `host:port`; empty where the kind has a usual one. */
  readonly host: string;
  /** Decoded, without slashes at its ends. */
  readonly path: string;
  readonly parameters: Readonly<Partial<Record<ParameterName, string>>>;
  /** Of one request, in ms. */
  readonly timeoutMs: number;
  /** Most signatures in flight. */
  readonly inFlight: number;
}

export type KeyEntry = LocalEntry | ServiceEntry;

const KINDS: Readonly<Record<ServiceKind, { readonly needsHost: boolean; readonly path: RegExp }>> =
  {
    sidecar: { needsHost: true, path: /^/ },
    vault: { needsHost: true, path: /^.+\/[^/]+$/ },
    'aws-kms': { needsHost: false, path: /./ },
    'gcp-kms': { needsHost: false, path: /^projects\/.+\/cryptoKeyVersions\/\d+$/ },
    'azure-kv': { needsHost: true, path: /^keys\/[^/]+\/[^/]+$/ },
  };
/** Kinds that reach their service without TLS where the URL says so, for a service in the same pod or host. */
const MAY_BE_PLAIN: readonly string[] = ['sidecar', 'vault'];
const ADDRESS = /^0x[0-9a-f]{64}$/;
const USUAL_TIMEOUT_MS = 2_000;
const USUAL_IN_FLIGHT = 100;

/**
 * Reads the entries of SPONSOR_KEYS: keys and URLs of services. Throws `TypeError` naming the entry by its position and,
 * for a URL, its name, never with a secret. `needsAddress`: a URL must name its sponsor.
 */
export function parseKeyEntries(
  texts: readonly string[],
  { needsAddress = true } = {},
): readonly KeyEntry[] {
  return texts.map((text, index) => {
    try {
      const scheme = /^([a-z][a-z0-9+-]*):\/\//.exec(text)?.[1];
      if (scheme === undefined) return { kind: 'local', signer: createLocalSigner(text) };
      return parseUrl(scheme, text, needsAddress);
    } catch (error) {
      throw new TypeError(`Entry ${index + 1} of the sponsors’ keys: ${(error as Error).message}`);
    }
  });
}

function parseUrl(scheme: string, text: string, needsAddress: boolean): ServiceEntry {
  const [, base = '', plainly] = /^(.+?)(?:\+(https?))?$/.exec(scheme)!;
  if (!isKind(base) || (plainly === 'http' && !MAY_BE_PLAIN.includes(base))) {
    throw new TypeError(
      `the URL begins with ${scheme}://; known are ${Object.keys(KINDS).join(', ')}, and sidecar+https, sidecar+http, vault+https, vault+http`,
    );
  }
  const protocol = plainly === 'http' ? 'http:' : 'https:';
  // The parser knows no hosts in URLs of other schemes than these.
  const url = URL.parse(
    `${protocol}//${text.slice(scheme.length + 3).replace(/^(?=[/?])/, 'none')}`,
  );
  if (url === null) throw new TypeError(`the ${base} URL is malformed`);
  const isNamed = !/^[a-z0-9+-]+:\/\/(?:[/?]|$)/.test(text);
  const host = isNamed ? url.host : '';
  const path = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '');
  const name = `${base}://${host}/${path}`;
  try {
    if (url.username || url.password)
      throw new TypeError('a URL takes no user and password; use token or token-file');
    const { needsHost, path: form } = KINDS[base];
    if (needsHost !== isNamed)
      throw new TypeError(
        needsHost ? 'the host is missing' : 'begin with three slashes: there is no host',
      );
    if (!form.test(path)) throw new TypeError('the path does not name a key');
    const parameters = readParameters(base, url.searchParams);
    const { address = null } = parameters;
    if (address === null ? needsAddress : !ADDRESS.test(address)) {
      throw new TypeError('address must be the sponsor’s address, 0x and 64 hex digits');
    }
    return {
      kind: base,
      name,
      address,
      protocol,
      host,
      path,
      parameters,
      timeoutMs: Number(parameters['timeout-ms'] ?? USUAL_TIMEOUT_MS),
      inFlight: Number(parameters['in-flight'] ?? USUAL_IN_FLIGHT),
    };
  } catch (error) {
    throw new TypeError(`${name}: ${(error as Error).message}`);
  }
}

function isKind(text: string): text is ServiceKind {
  return Object.hasOwn(PARAMETERS, text);
}
