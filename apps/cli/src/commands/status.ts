import { Command } from 'commander';
import { GasStation } from '@forecourt/client';
import { formatJson, formatTable } from '../terminal/format-table.js';
import { readConnection } from '../terminal/connection-config.js';

/** `status`: whether a gas station answers, and which version it is. */
export function statusCommand(): Command {
  return new Command('status')
    .description('whether the gas station answers, and which version it is')
    .option('--json', 'for programs')
    .action(async ({ json = false }: { readonly json?: boolean }) => {
      const { url, token } = readConnection();
      const { version } = await new GasStation({ url, token }).status();
      const hasToken = token !== undefined;
      if (json) return console.log(formatJson({ url, version, hasToken }));
      console.log(
        formatTable([
          ['gas station', url],
          ['version', version],
          ['token', hasToken ? 'given' : 'none: set FORECOURT_TOKEN'],
        ]),
      );
    });
}
