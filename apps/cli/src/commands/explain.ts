import { Command } from 'commander';
import type { ExplainResponse } from '@forecourt/contracts';
import { formatAmount } from '@forecourt/ledger';
import { callRoute } from '../terminal/call-route.js';
import { readConnection } from '../terminal/connection-config.js';
import { plainText, formatJson, formatTable } from '../terminal/format-table.js';

type Explanation = ExplainResponse['result'];
type Usage = NonNullable<Explanation['reservation']>['usage'][number];

/** `explain`: what happened to a transaction or a reservation, and what to do. */
export function explainCommand(): Command {
  return new Command('explain')
    .argument('<digest|reservation-id>', 'digest in base58 or base64, or the id of a reservation')
    .option('--json', 'for programs')
    .action(async (subject: string, { json = false }: { readonly json?: boolean }) => {
      const name = /^\d{1,16}$/.test(subject) ? 'reservation_id' : 'digest';
      const path = `/v1/explain?${name}=${encodeURIComponent(subject)}`;
      const explanation = await callRoute<Explanation>(readConnection(), 'GET', path);
      console.log(json ? formatJson(explanation) : formatExplanation(explanation));
    });
}

/** An explanation as text for people. */
export function formatExplanation(explanation: Explanation): string {
  const { verdict, meaning, advice, digest, reservation, job, ledger, decisions } = explanation;
  const facts: string[][] = [['verdict', verdict]];
  const add = (name: string, value: string | number | null | undefined) => {
    if (value !== null && value !== undefined && value !== '') facts.push([name, String(value)]);
  };
  add('transaction', digest);
  if (reservation !== null) {
    add('reservation', `${reservation.reservation_id}, ${reservation.state}`);
    add('caller', reservation.caller);
    add('sponsor', reservation.sponsor_address);
    add('gas budget', formatAmount(reservation.gas_budget));
    add('reserved', timeOf(reservation.reserved_at));
    add('deadline', timeOf(reservation.expires_at));
    add('begun', reservation.begun_at && timeOf(reservation.begun_at));
    add('executor', reservation.executor);
    add('allowed by rule', reservation.rule);
    for (const usage of reservation.usage) add('counted', describeUsage(usage));
  }
  if (job !== null) add('job', `${job.state}, ${job.attempts} attempts`);
  if (ledger === 'unreachable') add('ledger', 'no node answers');
  else if (ledger === 'invalid') add('ledger', 'a node’s answer cannot be used');
  else if (ledger !== null)
    add('ledger', `${ledger.status}, gas charged ${formatAmount(ledger.gas_charged)}`);
  for (const decision of decisions ?? []) add('access decision', JSON.stringify(decision));
  return [plainText(meaning), plainText(advice), '', formatTable(facts)].join('\n');
}

/** `0.02 IOTA of 0.5 IOTA used in gas <= 5 IOTA in 1 day, the budget of token shop; resets at 2026-…`. */
function describeUsage({
  counter,
  limit,
  counts,
  amount,
  used,
  resets_at: resetsAt,
}: Usage): string {
  const inUnits = counts === 'gas' ? formatAmount : (count: string) => `${count} ${counts}`;
  const where = limit ?? `a limit that no file of the gateway has (counter ${counter})`;
  const reset = resetsAt == null ? '' : `; resets at ${timeOf(resetsAt)}`;
  return `${inUnits(amount)} of ${inUnits(used)} used in ${where}${reset}`;
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
