import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import type {
  ReplayAccessRequest,
  ReplayedChange,
  ReplayFailure,
  ReplayProgress,
  ReplayReport,
} from '@forecourt/contracts';
import { formatAmount } from '@forecourt/ledger';
import { readAccessRules } from '@forecourt/policy/access';
import type { Connection } from '../terminal/connection-config.js';
import { openStream } from '../terminal/call-route.js';
import { plainText, formatTable } from '../terminal/format-table.js';

/** Reads rules, and the files that they name, as a gateway needs them. Throws `InvalidFile`, and what reading throws. */
export async function readProposedRules(
  file: string,
): Promise<Pick<ReplayAccessRequest, 'rules' | 'files'>> {
  const path = resolve(file);
  const rules = await readFile(path, 'utf8');
  const files = new Map<string, string>();
  const read = async (named: string) => {
    const bytes = await readFile(named);
    files.set(relative(dirname(path), named), bytes.toString('base64'));
    return bytes;
  };
  await readAccessRules(rules, path, read, { isOffline: true });
  return { rules, files: [...files].map(([name, content]) => ({ path: name, content })) };
}

/** Has the gateway replay. Throws `RouteRefusal`, and `Error` when the answer breaks off. */
export async function replayAccess(
  connection: Connection,
  request: ReplayAccessRequest,
  onProgress: (progress: ReplayProgress) => void,
): Promise<ReplayReport> {
  const route = '/v1/access/replay';
  for await (const { event, data } of openStream(connection, route, request)) {
    if (event === 'progress') onProgress(data as ReplayProgress);
    if (event === 'result') return data as ReplayReport;
    if (event === 'error') throw new Error((data as ReplayFailure).error);
  }
  throw new Error(`The answer of ${connection.url} has broken off; run the command again`);
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
