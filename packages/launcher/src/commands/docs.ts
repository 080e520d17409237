import { writeFileSync } from 'node:fs';
import { readOptions } from '../workspace/command.js';
import { prepare } from '../workspace/prepare.js';
import { renderDocs } from './render-docs.js';

const HELP = `npm run docs

Writes docs/configuration.md, and the lists of variables that ConfigMaps of the Helm chart may have, and may
not have, from the services' own tables of variables; and the errors of docs/http-api.md from their table.`;

/** `npm run docs`. */
export async function writeDocs(args: string[]): Promise<number> {
  if (readOptions(HELP, {}, args) === null) return 0;
  await prepare();
  for (const [file, text] of await renderDocs()) writeFileSync(file, text);
  return 0;
}
