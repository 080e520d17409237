import { median, percentile } from '@forecourt/testing/figures';
import type { RecordFilters, Viewer } from '@forecourt/contracts';
import {
  type Database,
  firstIdAt,
  Partitions,
  RESERVATION_BITS,
  DAY_MS,
} from '@forecourt/history/database';
import { SponsorshipQueries } from '@forecourt/history/queries';
import type { Row } from '../row.js';
import {
  COMMON_VALUES,
  digestOf,
  RARE_VALUES,
  type SampleSettings,
} from './sample-sponsorships.js';

const LIMIT = 50;
const TARGET_MS = 50;

const everybody: Viewer = { token: null, user: null };
const caller: Viewer = { token: COMMON_VALUES.token, user: null };

interface Question {
  readonly what: string;
  readonly viewer: Viewer;
  readonly filters: (round: number) => RecordFilters;
}

function questions({ records, now, days }: SampleSettings): Question[] {
  const each = (what: string, filters: (round: number) => RecordFilters): Question[] => [
    { what, viewer: everybody, filters },
    { what: `${what}, of one token`, viewer: caller, filters },
  ];
  const { package: packageId, module, function: name } = COMMON_VALUES;
  const values = (kind: string, given: typeof COMMON_VALUES | typeof RARE_VALUES) =>
    (Object.keys(given) as (keyof typeof given)[]).flatMap((filter) =>
      each(`${kind} ${filter}`, () => ({ [filter]: given[filter] })),
    );
  return [
    ...each('no filter', () => ({})),
    ...values('a common', COMMON_VALUES),
    ...values('a rare', RARE_VALUES),
    ...each('a package, module and function', () => ({
      package: packageId,
      module,
      function: name,
    })),
    ...each('status expired', () => ({ status: 'expired' })),
    ...each('outcome success', () => ({ outcome: 'success' })),
    ...each('outcome failure', () => ({ outcome: 'failure' })),
    ...each('a digest', (round) => ({ digest: digestOf((round * 7_919) % records) })),
    ...each('a day', (round) => {
      const from = now - ((round % days) + 1) * DAY_MS;
      return { from, to: from + DAY_MS };
    }),
    ...each('status and a package', () => ({ status: 'released', package: packageId })),
  ];
}

/** The time of pages of each filter, from the newest and from a random place on. */
export async function benchRecordPages(
  database: Database,
  settings: SampleSettings,
  rounds: number,
): Promise<Row[]> {
  const queries = new SponsorshipQueries(database, new Partitions(database));
  const reference = await bareRead(database, settings, rounds);
  const rows: Row[] = [];
  for (const { what, viewer, filters } of questions(settings)) {
    const times: number[] = [];
    let found = 0;
    for (let round = 0; round < rounds; round++) {
      const time = settings.now - ((round * 31) % settings.days) * DAY_MS;
      const before = String(firstIdAt(time, RESERVATION_BITS));
      const page = {
        viewer,
        filters: filters(round),
        limit: LIMIT,
        ...(round % 2 === 1 && { before }),
      };
      const start = performance.now();
      const { data } = await queries.list(page);
      times.push(performance.now() - start);
      found += data.length;
    }
    // A rare value belongs to another token than the caller's.
    if (found === 0 && viewer === everybody) throw new Error(`no record was found by ${what}`);
    const value = percentile(times, 0.99);
    rows.push({
      what: `a page by ${what}, p99`,
      value,
      unit: 'ms',
      ratio: value / reference,
      reference: `${LIMIT} records by their ids, ${reference.toFixed(1)} ms`,
      target: `at most ${TARGET_MS} ms`,
      isMet: value <= TARGET_MS,
    });
  }
  return rows;
}

/** Reading as many whole records by primary key. */
async function bareRead(
  { pool }: Database,
  { now, days }: SampleSettings,
  rounds: number,
): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const id = String(firstIdAt(now - ((round % days) + 1) * DAY_MS, RESERVATION_BITS));
    const start = performance.now();
    await pool.query('SELECT * FROM sponsorships WHERE id >= $1 AND id < $2 ORDER BY id LIMIT $3', [
      id,
      String(BigInt(id) + (BigInt(DAY_MS) << RESERVATION_BITS)),
      LIMIT,
    ]);
    times.push(performance.now() - start);
  }
  return median(times);
}
