import { Command } from 'commander';
import {
  canonicalAddress,
  type ReconcileResponse,
  type SponsorsResponse,
  type SponsorStatus,
  type WithdrawalStatus,
} from '@forecourt/contracts';
import { formatAmount } from '@forecourt/ledger';
import { callRoute } from '../terminal/call-route.js';
import { describeSigner } from '../terminal/describe-signer.js';
import { readConnection } from '../terminal/connection-config.js';
import { EXIT } from '../terminal/exit-codes.js';
import { plainText, formatJson, formatTable } from '../terminal/format-table.js';
import { readAmount } from '../terminal/read-arguments.js';

type Sponsors = SponsorsResponse['result'];

interface OutputOptions {
  readonly json?: boolean;
}
type ReasonOptions = OutputOptions & { readonly reason: string };
type WithdrawOptions = ReasonOptions & {
  readonly to: string;
  readonly amount?: string;
  readonly request?: string;
  readonly afterLoss?: string;
  readonly yes?: boolean;
};

/** `sponsors`: all sponsors of the fleet. */
export function sponsorsCommand(): Command {
  return new Command('sponsors')
    .option('--json', 'for programs')
    .action(async (options: OutputOptions) => {
      const { sponsors } = await callRoute<Sponsors>(readConnection(), 'GET', '/v1/sponsors');
      print(sponsors, options);
    });
}

/** `drain`: a sponsor gives no more reservations. */
export function drainCommand(): Command {
  return new Command('drain')
    .argument('<address>', 'the sponsor')
    .requiredOption('--reason <text>', 'told to callers')
    .option('--json', 'for programs')
    .action(async (address: string, { reason, ...options }: ReasonOptions) => {
      await change('/v1/drain', { sponsor_address: address, reason }, options);
    });
}

/** `undrain`: ends a drain. */
export function undrainCommand(): Command {
  return new Command('undrain')
    .argument('<address>', 'the sponsor')
    .option('--json', 'for programs')
    .action(async (address: string, options: OutputOptions) => {
      await change('/v1/undrain', { sponsor_address: address }, options);
    });
}

/** `reconcile`: compares a pool with the ledger. */
export function reconcileCommand(): Command {
  return new Command('reconcile')
    .argument('<address>', 'the sponsor')
    .requiredOption('--reason <text>', 'recorded with the action')
    .option('--json', 'for programs')
    .addHelpText('after', '\nExit code 1: differences remain.')
    .action(async (address: string, { reason, json = false }: ReasonOptions) => {
      const body = { sponsor_address: address, reason };
      const result = await callRoute<ReconcileResponse['result']>(
        readConnection(),
        'POST',
        '/v1/reconcile',
        body,
      );
      const { finished, adopted, corrected, differences } = result;
      const text = finished
        ? `${adopted} coins adopted, ${corrected} corrected, ${differences} differences remain`
        : 'the comparison goes on; its result is in the log of the coin-pool';
      console.log(json ? formatJson(result) : text);
      if (differences !== null && differences > 0) process.exitCode = EXIT.negative;
    });
}

/** `withdraw`: sends funds of a drained sponsor. */
export function withdrawCommand(): Command {
  return new Command('withdraw')
    .argument('<address>', 'the sponsor')
    .requiredOption(
      '--to <address>',
      'another sponsor, or one of the coin-pools’ WITHDRAW_ADDRESSES',
    )
    .requiredOption('--reason <text>', 'recorded with the action')
    .option(
      '--amount <amount>',
      'such as "0.5 IOTA", or in the smallest unit; without it, all funds',
    )
    .option('--request <id>', 'orders an amount again that was ordered with another id, or without')
    .option('--after-loss <id>', 'of the suspension after which you have looked at the ledger')
    .option('--yes', 'do it; without this, only show what would be done')
    .option('--json', 'for programs')
    .addHelpText(
      'after',
      '\nExit code 1: it would be accepted, but --yes is missing; 2: it is refused.',
    )
    .action(async (address: string, options: WithdrawOptions) => {
      const { to, reason, request, afterLoss = null, yes = false } = options;
      const amount = options.amount === undefined ? null : readAmount('--amount', options.amount);
      const all = { sponsor_address: address, to_address: to, reason, after_loss: afterLoss };
      const body = { ...all, amount, request_id: request ?? null };
      if (!yes) {
        const { sponsors } = await post('/v1/check_withdrawal', body);
        const balance = sponsors.find((one) => isSame(one.sponsor_address, address))?.balance;
        const sent = amount === null ? 'All funds' : formatAmount(amount);
        const has = balance === undefined ? '' : ` (${formatAmount(balance)})`;
        console.error(
          `${sent} of ${address}${has}\nwould be sent to ${to}.\nCompare both addresses, then repeat the command with --yes.`,
        );
        process.exitCode = EXIT.negative;
        return;
      }
      if (amount !== null) await change('/v1/withdraw_amount', body, options);
      else await change('/v1/withdraw', all, options);
    });
}

async function change(path: string, body: object, options: OutputOptions): Promise<void> {
  const { sponsors } = await post(path, body);
  print(sponsors, options);
}

function post(path: string, body: object): Promise<Sponsors> {
  return callRoute<Sponsors>(readConnection(), 'POST', path, body);
}

/** Users may leave out leading zeros. */
function isSame(address: string, given: string): boolean {
  return canonicalAddress(given) === address;
}

function print(sponsors: readonly SponsorStatus[], { json = false }: OutputOptions): void {
  if (json) return console.log(formatJson({ sponsors }));
  const heading = ['sponsor', 'state', 'key', 'available', 'in flight', 'balance'];
  console.log(formatTable([heading, ...sponsors.map(rowOf)]));
  for (const line of describeDrains(sponsors)) console.log(line);
}

/** A line for each drain and each withdrawal. */
function describeDrains(sponsors: readonly SponsorStatus[]): string[] {
  return sponsors.flatMap(({ sponsor_address: address, state, drain, withdrawal }) => {
    const lines: string[] = [];
    if (drain) {
      const since = new Date(drain.since).toISOString();
      lines.push(plainText(`${address}: ${state}, by ${drain.by} since ${since}: ${drain.reason}`));
    }
    if (withdrawal) lines.push(`${address}: ${describe(withdrawal)}`);
    return lines;
  });
}

function rowOf(status: SponsorStatus): string[] {
  const { sponsor_address: address, state, coins, balance } = status;
  const { reserved, claimed, executing, quarantined, maintenance } = coins;
  const inFlight = reserved + claimed + executing + quarantined + maintenance;
  const place = describeSigner(status.signer);
  return [address, state, place, String(coins.available), String(inFlight), formatAmount(balance)];
}

function describe(withdrawal: WithdrawalStatus): string {
  const { ended, amount, arrived, to_address: to, coins, digest } = withdrawal;
  const progress = ended === null ? 'withdrawal in progress' : 'withdrawal ended';
  const latest = digest === null ? '' : `, last transaction ${digest}`;
  if (amount !== null) {
    const of = `${formatAmount(arrived)} of ${formatAmount(amount)}`;
    return `${progress}: ${of} arrived at ${to}${latest}`;
  }
  return `${progress}: ${coins} coins sent to ${to}, where ${formatAmount(arrived)} arrived${latest}`;
}
