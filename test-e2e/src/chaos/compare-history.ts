import { type Application, call } from '../support/application.js';
import { netGas } from '../support/net-gas.js';
import type { TestSystem } from '../support/test-system.js';
import type { Landed } from './find-violations.js';
import { namePayment, type OwnTransaction } from './scan-ledger.js';
import type { LedgerScan } from './ledger-scan.js';
import type { SponsoredCall } from './sponsored-call.js';

const PAGE = 1_000;

interface Recorded {
  readonly reservation_id: number;
  readonly digest: string | null;
  readonly status: string;
  readonly outcome: 'success' | 'failure' | null;
  readonly gas: { readonly net: string } | null;
  /** Why it was formed from the ledger; null: it was not. */
  readonly rebuilt: string | null;
}

interface Details {
  readonly gas_coins: Parameters<typeof namePayment>[0];
  readonly timeline: readonly { readonly event: string }[];
}

interface Totals {
  readonly total: { readonly gas: string };
}

/** A caller’s transaction. */
type Call = Pick<SponsoredCall, 'digest'>;

type Expected = ReadonlyMap<string, { readonly outcome: string; readonly gas: bigint }>;

/**
 * Differences between history and the ledger, once everything is written or `withinMs` have passed: each
 * executed transaction of a caller is recorded once, with its outcome and gas; and usage is what the sponsor
 * paid for, less the upkeep of its pool.
 */
export async function compareHistory(
  { application, until }: TestSystem,
  calls: readonly Call[],
  scan: LedgerScan,
  withinMs?: number,
): Promise<readonly string[]> {
  let differences: readonly string[] = [];
  const isSame = async () => {
    differences = await compare(application, calls, scan).catch((error: unknown) => [
      String(error),
    ]);
    return differences.length === 0;
  };
  await until(isSame, withinMs).catch(() => undefined);
  return differences;
}

async function compare(
  application: Application,
  calls: readonly Call[],
  { landed, own }: LedgerScan,
): Promise<readonly string[]> {
  const expected = describeLanded(calls, landed);
  const records = await readAllSponsorships(application);
  const { total } = await read<Totals>(application, '/v1/usage?group_by=token&from=0');
  const moves = await gasOfMoves(application, records, own);
  const paid = sumOf([...expected.values()].map(({ gas }) => gas)) + moves;
  const differences = compareRecords(records, expected);
  const recorded = sumOf(records.map(({ gas }) => BigInt(gas?.net ?? 0)));
  for (const [what, gas] of [
    ['the ledger charged', paid],
    ['the records add up to', recorded],
  ] as const) {
    if (String(gas) !== total.gas) {
      differences.push(`usage counts gas of ${total.gas}, ${what} ${gas}`);
    }
  }
  return differences;
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}

/**
 * Gas of the sponsor's own transactions that moved the coins of quarantined ones, which usage counts. All
 * others are upkeep: they have other coins.
 */
async function gasOfMoves(
  application: Application,
  records: readonly Recorded[],
  own: readonly OwnTransaction[],
): Promise<bigint> {
  const payments = new Set<string>();
  for (const { reservation_id: id, status, digest } of records) {
    if (status !== 'expired' || digest === null) continue;
    const { timeline, gas_coins } = await read<Details>(application, `/v1/sponsorships/${id}`);
    const isQuarantined = timeline.some(({ event }) => event === 'quarantined');
    if (isQuarantined) payments.add(namePayment(gas_coins));
  }
  return sumOf(own.filter(({ payment }) => payments.has(payment)).map(({ gas }) => gas));
}

function describeLanded(calls: readonly Call[], landed: ReadonlyMap<string, Landed>): Expected {
  const expected = new Map<string, { outcome: string; gas: bigint }>();
  for (const { digest } of calls) {
    const effects = landed.get(digest)?.effects;
    if (!effects) continue;
    const { status } = effects['status'] as { readonly status: string };
    expected.set(digest, { outcome: status, gas: netGas(effects) });
  }
  return expected;
}

function compareRecords(records: readonly Recorded[], expected: Expected): string[] {
  const executed = records.filter(({ status }) => status === 'executed');
  const differences = executed.flatMap((record) => compareRecord(record, expected));
  const recorded = new Set(executed.map(({ digest }) => digest));
  if (recorded.size < executed.length) differences.push('a transaction is recorded twice');
  const missing = [...expected.keys()].filter((digest) => !recorded.has(digest));
  return [...differences, ...missing.map((digest) => `${digest} is not recorded`)];
}

function compareRecord({ digest, outcome, gas }: Recorded, expected: Expected): string[] {
  const landed = expected.get(digest ?? '');
  if (!landed) return [`${digest} is recorded as executed, but no caller's transaction landed`];
  if (landed.outcome === outcome && String(landed.gas) === gas?.net) return [];
  return [
    `${digest} is recorded with ${outcome} and gas of ${gas?.net}, the ledger has ${landed.outcome} and ${landed.gas}`,
  ];
}

/** Every recorded sponsorship. */
export async function readAllSponsorships(application: Application): Promise<readonly Recorded[]> {
  const records: Recorded[] = [];
  let cursor = '';
  for (;;) {
    const page = await read<{ data: readonly Recorded[]; next_cursor: string | null }>(
      application,
      `/v1/sponsorships?limit=${PAGE}${cursor}`,
    );
    records.push(...page.data);
    if (page.next_cursor === null) return records;
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
  }
}

async function read<T>(application: Application, path: string): Promise<T> {
  const { status, body } = await call(application, 'GET', path);
  if (status !== 200) throw new Error(`${path} answered ${status}`);
  return body.result as unknown as T;
}
