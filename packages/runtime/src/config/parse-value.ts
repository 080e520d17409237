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

export function parseUrl(text: string, protocols: readonly string[]): string {
  const url = URL.parse(text);
  if (!url || !protocols.includes(url.protocol)) {
    throw new Error(
      `must be a URL that begins with ${protocols.map((one) => `${one}//`).join(' or ')}`,
    );
  }
  return text;
}

export function parseUrls(text: string, protocols: readonly string[]): readonly string[] {
  return text.split(/,\s*(?=[a-z]+:\/\/)/i).map((url) => parseUrl(url.trim(), protocols));
}

export const splitList = (text: string) => text.split(/[,\s]+/).filter((part) => part !== '');

export function parseEndpoint(text: string): Endpoint {
  const found = /^(?<host>[^\s:/]+|\[[0-9a-f:]+\]):(?<port>\d+)$/i.exec(text);
  if (!found) throw new Error('must be a list of host:port, separated by commas');
  return {
    host: found.groups!['host']!.replace(/^\[|\]$/g, ''),
    port: parseInteger(found.groups!['port']!, 1, 65_535),
  };
}
