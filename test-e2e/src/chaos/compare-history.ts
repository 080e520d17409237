import type { Application } from '../support/application.js';
import { call } from '../support/application.js';
import type { TestSystem } from '../support/test-system.js';
import type { Landed } from './find-violations.js';
import type { SponsoredCall } from './sponsored-call.js';

const PAGE = 1_000;

interface Recorded {
  readonly digest: string | null;
  readonly status: string;
  readonly outcome: 'success' | 'failure' | null;
  readonly gas: { readonly net: string } | null;
}

interface Totals {
  readonly total: { readonly transactions: number; readonly gas: string };
}

type Expected = ReadonlyMap<string, { readonly outcome: string; readonly gas: bigint }>;

/**
 * Differences between history and the ledger: each executed transaction of a caller is recorded once, with its outcome and
 * gas, and usage is the sum of the records.
 */
export async function compareHistory(
  system: TestSystem,
  calls: readonly SponsoredCall[],
  landed: ReadonlyMap<string, Landed>,
): Promise<string[]> {
  const { application } = system;
  const expected = describeLanded(calls, landed);
  await system.until(async () => {
    const usage = await read<Totals>(application, '/v1/usage?group_by=token&from=0').catch(
      () => null,
    );
    return usage !== null && usage.total.transactions >= expected.size;
  });
  const records = await readAll(application);
  const { total } = await read<Totals>(application, '/v1/usage?group_by=token&from=0');
  const gas = records.reduce((sum, record) => sum + BigInt(record.gas?.net ?? 0), 0n);
  const differences = compareRecords(records, expected);
  if (String(gas) !== total.gas) {
    differences.push(`usage counts gas of ${total.gas}, the records add up to ${gas}`);
  }
  return differences;
}

function describeLanded(
  calls: readonly SponsoredCall[],
  landed: ReadonlyMap<string, Landed>,
): Expected {
  const expected = new Map<string, { outcome: string; gas: bigint }>();
  for (const { digest } of calls) {
    const effects = landed.get(digest)?.effects;
    if (!effects) continue;
    const { status } = effects['status'] as { readonly status: string };
    expected.set(digest, { outcome: status, gas: netGas(effects) });
  }
  return expected;
}

function netGas({ gasUsed }: Readonly<Record<string, unknown>>): bigint {
  const used = gasUsed as Readonly<Record<string, string>>;
  const amount = (name: string) => BigInt(used[name]!);
  return amount('computationCost') + amount('storageCost') - amount('storageRebate');
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

async function readAll(application: Application): Promise<readonly Recorded[]> {
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
