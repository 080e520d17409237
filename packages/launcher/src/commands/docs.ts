import { writeFileSync } from 'node:fs';
import { readOptions } from '../workspace/command.js';
import { prepare } from '../workspace/prepare.js';
import { CONFIGURATION_PAGE, renderConfigurationPage } from './configuration-page.js';

const HELP = `npm run docs

Writes docs/configuration.md from the services' own tables of variables.`;

/** `npm run docs`. */
export async function writeDocs(args: string[]): Promise<number> {
  if (readOptions(HELP, {}, args) === null) return 0;
  await prepare();
  writeFileSync(CONFIGURATION_PAGE, await renderConfigurationPage());
  return 0;
}
