import { Command } from 'commander';
import { GasStation } from '@forecourt/client';
import { readConnection } from '../terminal/connection-config.js';
import { EXIT } from '../terminal/exit-codes.js';
import { formatJson, formatTable } from '../terminal/format-table.js';
import { requireGasStation } from '../terminal/send-once.js';
import { formatPauses } from './pause.js';
import { probeSponsoring } from './probe-sponsoring.js';

const ANSWER_MS = 5_000;

/** `status`: whether a gas station answers, which version it is, and whether it sponsors for the token. */
export function statusCommand(): Command {
  return new Command('status')
    .description('whether the gas station answers, and sponsors for the token')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      `
Reserves the smallest budget for a second and releases it. Shows all pauses to a token with the role operator.

Exit code 0: it sponsors, or no token is given; 1: it refuses the token or does not sponsor now; 2: it does not answer.`,
    )
    .action(async ({ json = false }: { readonly json?: boolean }) => {
      const connection = readConnection();
      const { url } = connection;
      await requireGasStation(connection);
      const { version } = await new GasStation({ url, timeoutMs: ANSWER_MS }).status();
      const { token, sponsoring, reason, paused } = await probeSponsoring(connection);
      if (token === 'refused' || sponsoring === 'no') process.exitCode = EXIT.negative;
      if (json) return console.log(formatJson({ url, version, token, sponsoring, reason, paused }));
      const because = reason === null ? '' : `: ${reason}`;
      console.log(
        formatTable([
          ['gas station', url],
          ['version', version],
          ['token', token === 'none' ? 'none: set FORECOURT_TOKEN' : token],
          ['sponsoring', `${sponsoring}${because}`],
        ]),
      );
      if (paused.length > 0) console.log(`\n${formatPauses(paused)}`);
    });
}
