import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { prepare } from '../workspace/prepare.js';
import { renderDocs } from './render-docs.js';

/** `npm run docs`. */
export function docsCommand(command: Command): Command {
  return command
    .addHelpText(
      'after',
      `
Writes docs/configuration.md, and the lists of variables that ConfigMaps of the Helm chart may have, and may
not have, from the services' own tables of variables; and the errors of docs/http-api.md from their table.`,
    )
    .action(async () => {
      await prepare();
      for (const [file, text] of await renderDocs()) writeFileSync(file, text);
    });
}
