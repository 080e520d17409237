import { LineCounter, parseDocument } from 'yaml';
import { InvalidFile } from './invalid-file.js';
import { type YamlMap, YamlValue } from './yaml-value.js';

const LARGEST_FILE = 4 * 2 ** 20;

/**
 * Reads a YAML file whose root is a mapping. Every scalar keeps its text from the file, so that an address without
 * quotes does not become a number. Throws `InvalidFile`.
 */
export function readYaml(text: string): YamlMap {
  if (text.length > LARGEST_FILE) throw new InvalidFile(1, 'the file is too large');
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, schema: 'failsafe' });
  const [error] = document.errors;
  if (error) {
    throw new InvalidFile(lines.linePos(error.pos[0]).line, error.message.split('\n')[0]!);
  }
  return new YamlValue(document.contents, 'the file', { document, lines }).map();
}
