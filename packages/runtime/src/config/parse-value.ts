import { validateHeaderName, validateHeaderValue } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** A service's address and port. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Like all readers here, throws `Error` with the expected form. */
export function parseInteger(text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value) || value < min || value > max) {
    throw new Error(`must be an integer from ${min} to ${max}`);
  }
  return value;
}

/** Requires the host, without which clients connect to this machine, and a port that a server can have. */
export function parseUrl(text: string, protocols: readonly string[]): string {
  const url = URL.parse(text);
  const [, protocol = '', host = ''] = /^([a-z]+:)\/\/([^/]?)/i.exec(text) ?? [];
  if (!protocols.includes(protocol.toLowerCase())) {
    const forms = protocols.map((one) => `${one}//`).join(' or ');
    throw new Error(`must be a URL that begins with ${forms}`);
  }
  if (!url || host === '' || url.hostname === '' || url.port === '0') {
    throw new Error(`must name a host, and a port from 1 to 65535 if any: ${protocol}//host:port`);
  }
  return text;
}

/** Without the text, which may hold a password. A host that is a parameter names the folder of a socket. */
export function parseDatabaseUrl(text: string): string {
  const host = URL.parse(text)?.searchParams.get('host');
  const isSocket = text.startsWith('postgres:///') && host;
  return isSocket ? text : parseUrl(text, ['postgres:', 'postgresql:']);
}

export function parseUrls(text: string, protocols: readonly string[]): readonly string[] {
  return text.split(/,\s*(?=[a-z]+:\/\/)/i).map((url) => parseUrl(url.trim(), protocols));
}

export const splitList = (text: string) => text.split(/[,\s]+/).filter((part) => part !== '');

export function parseEndpoint(text: string): Endpoint {
  const parts = /^(?<host>[^\s:/]+|\[[0-9a-f:]+\]):(?<port>\d+)$/i.exec(text);
  if (!parts) throw new Error('must be a list of host:port, separated by commas');
  return {
    host: parts.groups!['host']!.replace(/^\[|\]$/g, ''),
    port: parseInteger(parts.groups!['port']!, 1, 65_535),
  };
}

/** Addresses and networks, IPv4 and IPv6. */
export interface Networks {
  /** Whether the address is in one of the networks; false for a text that is not an address. */
  includes(address: string): boolean;
}

/**
 * Reads addresses and networks (`10.0.0.0/8`), separated by commas or white space. Throws `Error` with the
 * expected form.
 */
export function parseNetworks(text: string): Networks {
  const list = new BlockList();
  for (const part of text.split(/[,\s]+/).filter((one) => one !== '')) addNetwork(list, part);
  return {
    includes(address) {
      const version = isIP(address);
      return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4');
    },
  };
}

function addNetwork(list: BlockList, text: string): void {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  const longest = version === 6 ? 128 : 32;
  const bits = prefix === undefined ? longest : Number(prefix);
  const isPrefix = prefix === undefined || /^\d{1,3}$/.test(prefix);
  if (version === 0 || !isPrefix || bits > longest || more.length > 0) {
    throw new Error('must be a list of addresses and networks such as 10.0.0.0/8');
  }
  list.addSubnet(address, bits, version === 6 ? 'ipv6' : 'ipv4');
}

/** Header names in lower case and their values. */
export type HttpHeaders = Readonly<Record<string, string>>;

/**
 * Reads HTTP headers from a JSON object (`{"x-api-key":"…"}`) or from lines of `Name: value`. Throws `Error`
 * with the expected form, without any value.
 */
export function parseHttpHeaders(text: string): HttpHeaders {
  const headers: Record<string, string> = {};
  for (const [name, value] of text.startsWith('{') ? readObject(text) : readLines(text)) {
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch {
      throw new Error('must hold valid names and values of HTTP headers');
    }
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

function readObject(text: string): [string, string][] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Error('must be a JSON object of header names and values');
  }
  const entries = Object.entries(parsed as object);
  if (!entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')) {
    throw new Error('must be a JSON object of header names and values, each a string');
  }
  return entries;
}

function readLines(text: string): [string, string][] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const colon = line.indexOf(':');
      if (colon < 1) throw new Error('must have a line `Name: value` for each header');
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    });
}
