import { Command } from 'commander';
import { GasStation } from '@forecourt/client';
import { formatAmount } from '@forecourt/ledger';
import { EXIT } from '../terminal/exit-codes.js';
import { formatJson, formatTable } from '../terminal/format-table.js';
import { readBase64, readCount } from '../terminal/read-arguments.js';
import { readConnection } from '../terminal/connection-config.js';
import { requireGasStation } from '../terminal/call-route.js';

interface DryRunOptions {
  readonly sender: string;
  readonly gasBudget?: string;
  readonly json?: boolean;
}

/** `dry-run`: whether a transaction would be sponsored, succeed, and what it would cost. */
export function dryRunCommand(): Command {
  return new Command('dry-run')
    .argument('<kind-bytes>', 'BCS of its TransactionKind in base64; -: standard input')
    .requiredOption('--sender <address>', 'the user')
    .option('--gas-budget <n>', 'in the smallest unit (10⁻⁹ IOTA)')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      '\nExit code 0: it would be sponsored and succeed; 1: it would not; 2: failed.',
    )
    .action(async (bytes: string, options: DryRunOptions) => {
      const { sender, gasBudget, json = false } = options;
      const connection = readConnection();
      await requireGasStation(connection);
      const tried = await new GasStation(connection).dryRun({
        sender,
        kind: readBase64(bytes),
        ...(gasBudget !== undefined && { gasBudget: readCount('--gas-budget', gasBudget) }),
      });
      const { sponsored, execution, gas } = tried;
      const isGood = sponsored.allowed !== false && execution.status === 'success';
      if (!isGood) process.exitCode = EXIT.negative;
      if (json) return console.log(formatJson(tried));
      const verdict =
        sponsored.allowed === null ? 'decided at execution' : yesNo(sponsored.allowed);
      console.log(
        formatTable([
          [
            'sponsored',
            [verdict, sponsored.rule && `rule ${sponsored.rule}`, sponsored.reason]
              .filter(Boolean)
              .join(': '),
          ],
          ['execution', [execution.status, execution.error].filter(Boolean).join(': ')],
          ['cost', formatAmount(gas.netCost)],
          [
            'suggested budget',
            `${formatAmount(gas.suggestedBudget)} (--gas-budget ${gas.suggestedBudget})`,
          ],
          ...sponsored.limits.map(({ counts, used, limit, remaining }): [string, string] => [
            `limit of ${counts}`,
            `${used} of ${limit} used; ${remaining} would remain`,
          ]),
        ]),
      );
    });
}

const yesNo = (value: boolean) => (value ? 'yes' : 'no');
