import { setTimeout as delay } from 'node:timers/promises';
import { resolve } from 'node:path';
import { readFile } from 'node:fs/promises';
import {
  ACCESS_REFUSALS,
  type DecisionsResponse,
  type MissingDecisionsResponse,
  type RefusalsResponse,
} from '@forecourt/contracts';
import { createIotaCodec, formatAmount } from '@forecourt/ledger';
import { type AccessRules, readAccessRules } from '@forecourt/policy/access';
import {
  type DecidedReport,
  type ReplayedChange,
  type ReplayReport,
  TrafficReplay,
} from '@forecourt/policy/replay';
import type { AccessFiles } from '@forecourt/policy/tokens';
import { callRoute } from '../terminal/call-route.js';
import { RouteRefusal } from '../terminal/route-refusal.js';
import type { Connection } from '../terminal/connection-config.js';
import { formatTable, plainText } from '../terminal/format-table.js';

/** A page ends earlier where its transactions are long. */
const PAGE = 1_000;
const DAY_MS = 86_400_000;
const TOO_MANY_REQUESTS = 429;
const MOST_ATTEMPTS = 60;
const REST_MS = 1_000;

export interface ReplayRequest {
  /** The rules in force, and the tokens that limits and rule sets depend on. */
  readonly files: AccessFiles;
  readonly proposed: AccessRules;
  readonly from: number;
  readonly to: number;
  readonly token: string | undefined;
}

/** Reads proposed rules. Throws `InvalidFile`, and what reading throws. */
export async function readProposedRules(file: string): Promise<AccessRules> {
  const path = resolve(file);
  return readAccessRules(await readFile(path, 'utf8'), path, readFile, { isOffline: true });
}

/**
 * Decides here about what the gas station has recorded. Throws `RouteRefusal`, and `Error` when no answer
 * arrives.
 */
export async function replayAccess(
  connection: Connection,
  { files, proposed, from, to, token }: ReplayRequest,
  onProgress: (records: number, time: number) => void,
): Promise<ReplayReport> {
  const period = { from, to, ...(token !== undefined && { token }) };
  let replay: TrafficReplay | null = null;
  let records = 0;
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { ...period, limit: PAGE, ...(cursor !== undefined && { cursor }) };
    const page = await read<DecisionsResponse>(connection, '/v1/access/decisions', query);
    replay ??= open(files, proposed, page.settings);
    for (const record of page.data) await replay.add(record);
    records += page.data.length;
    onProgress(records, page.data.at(-1)?.at ?? to);
    cursor = page.next_cursor;
  }
  const missing = await countMissing(connection, period);
  const { skipped } = replay!;
  const { dropped } = await read<RefusalsResponse>(connection, '/v1/refusals', {
    ...period,
    limit: 1,
  });
  const byRules = dropped.filter(({ code }) => ACCESS_REFUSALS.some((one) => one === code));
  const report = replay!.report();
  return {
    from,
    to,
    token: token ?? null,
    not_replayable: {
      sponsorships: missing.sponsorships + skipped.sponsorships,
      refusals: missing.refusals + skipped.refusals,
      only_counted: byRules.reduce((sum, { requests }) => sum + requests, 0),
    },
    ...report,
    notes: notesOn(report, files.rules, proposed),
  };
}

function open(
  { rules, tokens }: AccessFiles,
  proposed: AccessRules,
  settings: DecisionsResponse['result']['settings'],
): TrafficReplay {
  return new TrafficReplay({
    inForce: rules,
    proposed,
    tokens: new Map(tokens.map(({ caller }) => [caller.token, caller])),
    settings: {
      allowAbstractAccounts: settings.allow_abstract_accounts,
      maxGasPriceRatio: settings.max_gas_price_ratio,
    },
    codec: createIotaCodec(),
  });
}

/** Of days from the end to the first one that has records. */
async function countMissing(
  connection: Connection,
  { from, to, ...token }: Readonly<{ from: number; to: number; token?: string }>,
): Promise<{ readonly sponsorships: number; readonly refusals: number }> {
  const sum = { sponsorships: 0, refusals: 0 };
  for (let end = to; end > from;) {
    const begin = Math.max(from, end - DAY_MS);
    const { first, sponsorships, refusals } = await read<MissingDecisionsResponse>(
      connection,
      '/v1/access/decisions/missing',
      { from: begin, to: end, ...token },
    );
    sum.sponsorships += sponsorships;
    sum.refusals += refusals;
    if (first === null || begin <= first) break;
    end = begin;
  }
  return sum;
}

/** Reads from a route; waits where the token has sent too many requests. */
async function read<T extends { readonly result: unknown }>(
  connection: Connection,
  route: string,
  query: Readonly<Record<string, string | number>>,
): Promise<T['result']> {
  const given = Object.entries(query).map(([name, value]) => [name, String(value)] as const);
  const text = String(new URLSearchParams(Object.fromEntries(given)));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await callRoute(connection, 'GET', `${route}?${text}`);
    } catch (error) {
      const isBusy = error instanceof RouteRefusal && error.status === TOO_MANY_REQUESTS;
      if (!isBusy || attempt === MOST_ATTEMPTS) throw error;
      await delay(REST_MS);
    }
  }
}

function notesOn({ undecided }: DecidedReport, inForce: AccessRules, proposed: AccessRules) {
  const notes = [
    'Limits count from the beginning of the period on: what was used before is not known. A refused transaction that would be allowed counts its maximum cost.',
  ];
  if (inForce.policy === 'disabled' && inForce.rules.length === 0) {
    notes.push('No rules are in force: name their file with --in-force if that is not so.');
  }
  if (undecided.length > 0) notes.push('What is undecided counts in no limit.');
  if (inForce.dryRun) notes.push('The rules in force are only tried out: they refuse nothing.');
  if (proposed.dryRun) notes.push('The proposed rules say dry-run: they would refuse nothing.');
  return notes;
}

/** A report as text for people. */
export function formatReplay(report: ReplayReport): string {
  const { from, to, token, decided, changed, not_replayable: left } = report;
  const facts: [string, string | number][] = [
    ['period', `${timeOf(from)} to ${timeOf(to)}`],
    ['token', token ?? 'all'],
    ['decided again', decided],
    ['would change', changed],
    ['same outcome by another rule', report.by_another_rule],
    ['rules in force decide unlike recorded', report.unlike_recorded],
    ['not replayable', `${left.sponsorships} sponsorships, ${left.refusals} refusals`],
    ['refusals that were only counted', left.only_counted],
  ];
  return [
    formatTable(facts.map(([name, value]) => [name, String(value)])),
    ...tableOf('by rule', report.by_rule, ({ from_rule: before, to_rule: after }) => {
      return `${before ?? 'the policy'} → ${after ?? 'the policy'}`;
    }),
    ...tableOf('by token', report.by_token, (one) => one.token ?? 'further tokens'),
    ...tableOf('by function', report.by_function, (one) => one.function ?? 'further functions'),
    ...report.examples.flatMap(({ from: before, to: after, data }) => [
      `\n${before} → ${after}, the first ${data.length}`,
      formatTable(
        data.map((one) => {
          const by = one.proposed.reason ?? one.proposed.rule ?? 'the policy';
          return [timeOf(one.at), one.token, one.digest ?? '', one.page ?? '', by];
        }),
      ),
    ]),
    ...report.undecided.map(
      ({ reason, in_force: before, proposed }) =>
        `undecided, ${before} under the rules in force and ${proposed} under the proposed ones: ${plainText(reason)}`,
    ),
    '',
    ...report.notes.map(plainText),
  ].join('\n');
}

function tableOf<T extends ReplayedChange>(
  title: string,
  changes: readonly T[],
  nameOf: (change: T) => string,
): string[] {
  if (changes.length === 0) return [];
  const rows = changes.map((one) => [
    `${one.from} → ${one.to}`,
    String(one.count),
    formatAmount(one.gas),
    formatAmount(one.largest_cost),
    nameOf(one),
  ]);
  return ['', formatTable([['change', 'count', 'gas', 'of refused at most', title], ...rows])];
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
