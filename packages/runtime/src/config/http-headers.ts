import { validateHeaderName, validateHeaderValue } from 'node:http';

/** Header names in lower case and their values. */
export type HttpHeaders = Readonly<Record<string, string>>;

/**
 * Reads HTTP headers from a JSON object (`{"x-api-key":"…"}`) or from lines of `Name: value`. Throws `Error` with
 * the expected form, without any value.
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
