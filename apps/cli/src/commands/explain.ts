import { Command } from 'commander';
import type { ExplainResponse } from '@forecourt/contracts';
import { formatAmount } from '@forecourt/ledger';
import { callRoute } from '../terminal/call-route.js';
import { readConnection } from '../terminal/connection-config.js';
import { plainText, formatJson, formatTable } from '../terminal/format-table.js';

type Explanation = ExplainResponse['result'];

/** `explain`: what happened to a transaction or a reservation, and what to do. */
export function explainCommand(): Command {
  return new Command('explain')
    .description('what happened to a transaction or a reservation, and what to do (role operator)')
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
    for (const { counter, counts, amount, used } of reservation.usage) {
      const inUnits = counts === 'gas' ? formatAmount : String;
      const text = `${inUnits(amount)} of ${counts}, of which ${inUnits(used)} are used (counter ${counter})`;
      add('counted', text);
    }
  }
  if (job !== null) add('job', `${job.state}, ${job.attempts} attempts`);
  if (ledger === 'unreachable') add('ledger', 'no node answers');
  else if (ledger !== null)
    add('ledger', `${ledger.status}, gas charged ${formatAmount(ledger.gas_charged)}`);
  for (const decision of decisions ?? []) add('access decision', JSON.stringify(decision));
  return [plainText(meaning), plainText(advice), '', formatTable(facts)].join('\n');
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
