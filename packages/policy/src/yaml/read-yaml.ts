import { LineCounter, parseDocument } from 'yaml';
import { InvalidFile } from './invalid-file.js';
import { YamlValue } from './yaml-value.js';

const LARGEST_FILE = 4 * 2 ** 20;

/**
 * Reads a YAML file whose root is a mapping. Every scalar keeps its text from the file, so that an address
 * without quotes does not become a number. Throws `InvalidFile`.
 */
export function readYaml(text: string): YamlValue {
  if (text.length > LARGEST_FILE) throw new InvalidFile(1, 'the file is too large');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, schema: 'failsafe' });
  const [error] = document.errors;
  if (error) {
    throw new InvalidFile(lines.linePos(error.pos[0]).line, error.message.split('\n')[0]!);
  }
  return new YamlValue(document.contents, 'the file', { document, lines }).map();
}

/** `2027-01-31T00:00:00Z` in milliseconds since 1970. Throws `Error` with the required format. */
export function readInstant(text: string): number {
  const instant = Date.parse(text);
  if (Number.isNaN(instant)) throw new Error('must be a date, such as 2027-01-31T00:00:00Z');
  return instant;
}

/** A reader for `YamlValue.parse` that accepts one of the choices. It throws `Error` naming them. */
export function readOneOf<T extends string>(choices: readonly T[]): (text: string) => T {
  return (text) => {
    const choice = choices.find((one) => one === text);
    if (choice === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
    return choice;
  };
}
