import { Command } from 'commander';
import type {
  ListedRefusal,
  ListedSponsorship,
  RefusalsResponse,
  Sponsorship,
  SponsorshipResponse,
  SponsorshipsResponse,
} from '@forecourt/contracts';
import { formatAmount } from '@forecourt/ledger';
import { callRoute } from '../terminal/call-route.js';
import { readConnection } from '../terminal/connection-config.js';
import { formatJson, formatTable } from '../terminal/format-table.js';
import { readCount, readTime } from '../terminal/read-arguments.js';

const MAX_PAGE = 1_000;
const FILTERS = [
  ['token', 'name of the token'],
  ['user', 'user of a user’s token'],
  ['sender', 'sender of the transaction'],
  ['sponsor', 'address of the sponsor'],
  [
    'status',
    'reserved, executing, quarantined, executed, expired or released; of a refusal, 400 to 599',
  ],
  ['outcome', 'success or failure'],
  ['state', 'executed, failed, refused, quarantined, in_flight, reserved, expired or released'],
  ['package', 'package that the transaction calls'],
  ['module', 'module that it calls'],
  ['function', 'function that it calls'],
  ['digest', 'digest of the transaction'],
  ['error', 'code of a refusal'],
] as const;

type Options = { readonly [Filter in (typeof FILTERS)[number][0]]?: string } & {
  readonly from?: string;
  readonly to?: string;
  readonly limit: string;
  readonly refusals?: boolean;
  readonly json?: boolean;
};

/** `history`: one sponsorship, or those that match filters. */
export function historyCommand(): Command {
  const command = new Command('history')
    .argument('[digest|reservation-id]', 'shows this one in full')
    .option(
      '--from <time>',
      'created then or later: 2026-11-25, 2026-11-25T13:00Z, or ms since 1970',
    )
    .option('--to <time>', 'created then or earlier');
  for (const [name, about] of FILTERS) command.option(`--${name} <value>`, about);
  return command
    .option('--limit <n>', 'how many at most', '50')
    .option('--refusals', 'refused requests instead of sponsorships')
    .option('--json', 'for programs: a line of JSON for each')
    .addHelpText('after', '\nTokens see their own records; the roles operator and auditor see all.')
    .action(async (subject: string | undefined, options: Options) => {
      if (subject !== undefined) return showOne(subject, options);
      const limit = readCount('--limit', options.limit);
      const query = readQuery(options);
      if (options.refusals) return showRefusals(query, limit, options);
      await showSponsorships(query, limit, options);
    });
}

async function showSponsorships(
  query: URLSearchParams,
  limit: number,
  options: Options,
): Promise<void> {
  let missing = 0;
  const path = '/v1/sponsorships';
  const found = await readPages<ListedSponsorship, SponsorshipsPage>(path, query, limit, (page) => {
    ({ missing } = page);
  });
  show(found, options, formatSponsorships);
  if (missing > 0) console.error(`${missing} ended sponsorships are missing from the history`);
}

async function showOne(subject: string, { json = false }: Options): Promise<void> {
  const path = /^\d{1,16}$/.test(subject) ? 'sponsorships' : 'transactions';
  const route = `/v1/${path}/${encodeURIComponent(subject)}`;
  const found = await callRoute<SponsorshipResponse['result']>(readConnection(), 'GET', route);
  console.log(json ? formatJson(found) : formatSponsorship(found));
}

async function showRefusals(
  query: URLSearchParams,
  limit: number,
  options: Options,
): Promise<void> {
  const dropped: RefusalsPage['dropped'][number][] = [];
  const found = await readPages<ListedRefusal, RefusalsPage>(
    '/v1/refusals',
    query,
    limit,
    (page) => {
      dropped.splice(0, dropped.length, ...page.dropped);
    },
  );
  show(found, options, formatRefusals);
  for (const { requests, code, token } of dropped) {
    console.error(`${requests} more with ${code} of ${token} were only counted`);
  }
}

function show<T>(
  found: readonly T[],
  { json = false }: Options,
  format: (all: readonly T[]) => string,
) {
  if (json) return found.forEach((one) => console.log(formatJson(one)));
  console.log(found.length === 0 ? 'None.' : format(found));
}

type SponsorshipsPage = SponsorshipsResponse['result'];
type RefusalsPage = RefusalsResponse['result'];

/** The first `limit` records, in as many pages as they need. */
async function readPages<
  T,
  Page extends { readonly data: readonly T[]; readonly next_cursor: string | null },
>(path: string, query: URLSearchParams, limit: number, onPage: (page: Page) => void): Promise<T[]> {
  const found: T[] = [];
  for (;;) {
    query.set('limit', String(Math.min(MAX_PAGE, limit - found.length)));
    const page = await callRoute<Page>(readConnection(), 'GET', `${path}?${query.toString()}`);
    onPage(page);
    found.push(...page.data);
    if (page.next_cursor === null || found.length >= limit) return found;
    query.set('cursor', page.next_cursor);
  }
}

function readQuery(options: Options): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of ['from', 'to'] as const) {
    const text = options[name];
    if (text !== undefined) query.set(name, String(readTime(`--${name}`, text)));
  }
  for (const [name] of FILTERS) {
    const value = options[name];
    if (value !== undefined) query.set(name, value);
  }
  return query;
}

/** Sponsorships as a table for people. */
export function formatSponsorships(sponsorships: readonly ListedSponsorship[]): string {
  const rows = sponsorships.map((one) => [
    timeOf(one.created_at),
    String(one.reservation_id),
    one.outcome ?? one.status,
    one.token,
    one.digest ?? '',
    one.gas === null ? '' : formatAmount(one.gas.net),
  ]);
  return formatTable([['created', 'reservation', 'state', 'token', 'transaction', 'gas'], ...rows]);
}

/** Refusals as a table for people. */
export function formatRefusals(refusals: readonly ListedRefusal[]): string {
  const rows = refusals.map(({ at, route, token, code, message }) => [
    timeOf(at),
    route,
    token,
    code,
    message,
  ]);
  return formatTable([['at', 'route', 'token', 'code', 'message'], ...rows]);
}

/** A sponsorship as text for people. */
export function formatSponsorship(one: Sponsorship): string {
  const { gas, refusals, timeline, commands } = one;
  const facts: readonly (readonly [string, string | number | null])[] = [
    ['reservation', one.reservation_id],
    ['state', one.outcome === null ? one.status : `${one.status}: ${one.outcome}`],
    ['failure', one.failure],
    ['recorded from the ledger', one.rebuilt],
    ['transaction', one.digest],
    ['token', one.token],
    ['user', one.user],
    ['sender', one.sender],
    ['sponsor', one.sponsor_address],
    ['gas budget', formatAmount(one.gas_budget)],
    ['gas', gas && `${formatAmount(gas.net)}, counted ${formatAmount(gas.counted)}`],
    ['allowed by rule', one.rule],
    ['submissions', one.attempts],
    ['executor', one.executor],
    ['requests', one.request_ids.join(', ')],
    ['trace', one.trace_id],
    ...commands.map((command) => ['command', command] as const),
    ...refusals.map(
      ({ at, code, message }) => ['refused', `${timeOf(at)} ${code}: ${message}`] as const,
    ),
    ...timeline.map(({ at, event }) => [event, timeOf(at)] as const),
  ];
  const present = facts.filter(([, value]) => value !== null && value !== '');
  return formatTable(present.map(([name, value]) => [name, String(value)]));
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
