import { createLocalSigner, type Signer } from '@forecourt/ledger';
import { gatewayLimits } from '@forecourt/resilience';
import { readParameters } from './entry-parameters.js';
import type { ServiceEntry } from './key-service.js';
import { keyServiceKinds } from './key-service-kinds.js';

/** A key in this process. */
interface LocalEntry {
  readonly signer: Signer;
}

export type KeyEntry = LocalEntry | ServiceEntry;

const ADDRESS = /^0x[0-9a-f]{64}$/;
const USUAL_TIMEOUT_MS = 2_000;
const USUAL_IN_FLIGHT = gatewayLimits.keyServiceCalls.default;

/**
 * Reads the entries of SPONSOR_KEYS: keys and URLs of services. Throws `TypeError` naming the entry by its
 * position and, for a URL, its name, never with a secret. `needsAddress`: a URL must name its sponsor.
 */
export function parseKeyEntries(
  texts: readonly string[],
  { needsAddress = true } = {},
): readonly KeyEntry[] {
  return texts.map((text, index) => {
    try {
      const scheme = /^([a-z][a-z0-9+-]*):\/\//.exec(text)?.[1];
      if (scheme === undefined) return { signer: createLocalSigner(text) };
      return parseUrl(scheme, text, needsAddress);
    } catch (error) {
      throw new TypeError(`Entry ${index + 1} of the sponsors’ keys: ${(error as Error).message}`);
    }
  });
}

function parseUrl(scheme: string, text: string, needsAddress: boolean): ServiceEntry {
  const [, base = '', plainly] = /^(.+?)(?:\+(https?))?$/.exec(scheme)!;
  const kind = keyServiceKinds.get(base);
  if (!kind || (plainly === 'http' && !kind.mayBePlain)) {
    const plain = [...keyServiceKinds].filter(([, { mayBePlain }]) => mayBePlain);
    const forms = plain.flatMap(([name]) => [`${name}+https`, `${name}+http`]).join(', ');
    const names = [...keyServiceKinds.keys()].join(', ');
    throw new TypeError(`the URL begins with ${scheme}://; known are ${names}, and ${forms}`);
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
    const { needsHost, path: form } = kind;
    if (needsHost !== isNamed)
      throw new TypeError(
        needsHost ? 'the host is missing' : 'begin with three slashes: there is no host',
      );
    if (!form.test(path)) throw new TypeError('the path does not name a key');
    const parameters = readParameters(kind.parameters, url.searchParams);
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
