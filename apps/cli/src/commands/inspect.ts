import { Command } from 'commander';
import type { FleetResponse, FleetSponsor, FleetTransaction } from '@forecourt/contracts';
import { formatAmount } from '@forecourt/ledger';
import { describeSigner } from '../terminal/describe-signer.js';
import { callRoute } from '../terminal/call-route.js';
import { type Connection, readConnection } from '../terminal/connection-config.js';
import { plainText, formatJson, formatTable } from '../terminal/format-table.js';
import { formatPauses, listPauses } from './pause.js';

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'm'],
] as const;

/** A time span in its largest whole unit: `5 d`, `3 h`, `12 m`, `7 s`. */
export function describeAge(secs: number): string {
  for (const [unitSecs, unit] of UNITS) {
    if (secs >= unitSecs) return `${Math.floor(secs / unitSecs)} ${unit}`;
  }
  return `${Math.max(0, Math.floor(secs))} s`;
}

type Fleet = FleetResponse['result'];

const IN_FLIGHT = ['claimed', 'executing', 'quarantined'] as const;

interface InspectOptions {
  readonly listed: string;
  readonly json?: boolean;
}

/** `inspect`: sponsors, work in flight, queue and replicas. */
export function inspectCommand(): Command {
  return new Command('inspect')
    .option('--listed <n>', 'transactions of each state of each sponsor, 0 to 100', '20')
    .option('--json', 'for programs')
    .action(async ({ listed, json = false }: InspectOptions) => {
      const connection = readConnection();
      const path = `/v1/fleet?listed=${encodeURIComponent(listed)}`;
      const fleet = await callRoute<Fleet>(connection, 'GET', path);
      if (json) return console.log(formatJson(fleet));
      const pauses = await describePauses(connection);
      if (pauses !== '') console.log(`${pauses}\n`);
      console.log(formatFleet(fleet));
    });
}

/**
 * Pauses are shown first, because they explain refusals. If they cannot be read, everything else is still
 * shown.
 */
async function describePauses(connection: Connection): Promise<string> {
  try {
    const { paused } = await listPauses(connection);
    return paused.length === 0 ? '' : formatPauses(paused);
  } catch (error) {
    return `! pauses: ${(error as Error).message}`;
  }
}

/** The fleet as text for people. */
export function formatFleet(fleet: Fleet): string {
  const parts = [
    ...fleet.sponsors.map(formatSponsor),
    formatTransactions(fleet),
    formatQueue(fleet),
    formatReplicas(fleet),
    ...fleet.problems.map(({ part, message }) => `! ${part}: ${plainText(message)}`),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function formatSponsor(sponsor: FleetSponsor): string {
  const { hour, day } = sponsor.spending;
  const facts: string[][] = [
    ['balance', formatAmount(sponsor.balance)],
    ['spent in the last hour', hour === null ? 'not recorded yet' : describeSpending(hour)],
    ['spent in the last day', day === null ? 'not recorded yet' : describeSpending(day)],
    ['days left', sponsor.days_left === null ? 'not known' : String(sponsor.days_left)],
    ['leader', sponsor.leader ?? 'none'],
    ['key', describeSigner(sponsor.signer)],
  ];
  if (sponsor.suspended_secs !== null) {
    facts.push(['suspended', `after a Redis restart, for ${sponsor.suspended_secs} s`]);
  }
  if (sponsor.drain !== null) facts.push(['drain', describeDrain(sponsor.drain)]);
  const states = Object.entries(sponsor.coins).map(([state, { coins, balance }]) => {
    const held = sponsor.reservations[state];
    return [state, String(coins), formatAmount(balance), held === undefined ? '' : String(held)];
  });
  const heading = ['state', 'coins', 'balance', 'reservations'];
  return [
    `Sponsor ${plainText(sponsor.sponsor_address)}`,
    formatTable(facts),
    formatTable([heading, ...states]),
  ].join('\n');
}

function describeDrain({ reason, by, since }: NonNullable<FleetSponsor['drain']>): string {
  return plainText(`${reason} (by ${by}, since ${new Date(since).toISOString()})`);
}

function describeSpending({ spent, since }: { spent: string; since: number }): string {
  return `${formatAmount(spent)} (since ${new Date(since).toISOString()})`;
}

function formatTransactions({ transactions, sponsors, epoch }: Fleet): string {
  const counts = sponsors.flatMap(({ reservations }) =>
    IN_FLIGHT.map((state) => reservations[state] ?? 0),
  );
  const inFlight = counts.reduce((sum, count) => sum + count, 0);
  if (transactions.length === 0) return `In flight: ${inFlight}`;
  const heading = ['state', 'age', 'digest', 'reservation', 'caller', 'executor or reason'];
  const rows = transactions.map((one) => [
    one.state,
    describeAge(one.age_secs),
    one.digest,
    String(one.reservation_id),
    one.caller,
    one.quarantine === null ? (one.executor ?? '') : describeQuarantine(one.quarantine, epoch),
  ]);
  const title = `In flight: ${inFlight}; those not taken up for longest:`;
  return `${title}\n${formatTable([heading, ...rows])}`;
}

function describeQuarantine(
  { reason, ends_after_epoch: ends }: NonNullable<FleetTransaction['quarantine']>,
  epoch: number | null,
): string {
  const now = epoch === null ? '' : `, now ${epoch}`;
  return ends === null ? reason : `until epoch ${ends} is over${now}: ${reason}`;
}

function formatQueue({ queue }: Fleet): string {
  if (queue === null) return '';
  const { waiting, active, delayed } = queue;
  return `Queue: ${waiting} waiting, ${active} active, ${delayed} delayed`;
}

function formatReplicas({ replicas }: Fleet): string {
  if (replicas.length === 0) return '';
  const rows = replicas.map(({ service, version, started_at, seen_at, id }) => [
    service,
    version,
    new Date(started_at).toISOString(),
    `${describeAge((Date.now() - seen_at) / 1_000)} ago`,
    id,
  ]);
  return formatTable([['service', 'version', 'started', 'seen', 'replica'], ...rows]);
}
