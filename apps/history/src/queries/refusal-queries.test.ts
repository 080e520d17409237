import type { RecordFilters, Viewer } from '@forecourt/contracts';
import { calledFunctions, formRefusal } from '@forecourt/sponsorship';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { aRefusal, everybody, noon, oneOf, useTables } from '../history.test-support.js';
import type { IdentifiedRefusal } from '../writing/insert-refusals.js';
import { RefusalQueries } from './refusal-queries.js';

const tables = useTables();
let queries: RefusalQueries;
/** The newest first. */
const all: IdentifiedRefusal[] = [];

/** Any of the values that the filters below ask for, and some that none asks for. */
function any(days: number): IdentifiedRefusal {
  const calls = ['0x2::coin::mint', '0x2::coin::burn', '0x3::coin::mint', '0x3::shop::buy'];
  const facts = {
    token: oneOf('shop', 'game', 'bank'),
    user: oneOf('', '0xa', '0xb'),
    sender: oneOf('', '0xa', '0xb'),
    sponsor: oneOf('', '0x5', '0x6'),
    status: oneOf('400', '403', '429'),
    code: oneOf('FORBIDDEN', 'INVALID_REQUEST'),
    digest: oneOf('', 'D1', 'D2'),
    rule: oneOf('', 'ours'),
    reservation: oneOf('', '77'),
  };
  const commands = [oneOf(...calls), oneOf(...calls)].map((call) => `MoveCall ${call}`);
  return aRefusal(noon(days) - oneOf(0, 1, 1_000, 3_600_000), facts, oneOf([], commands));
}

beforeAll(async () => {
  queries = new RefusalQueries(tables.database, tables.partitions);
  for (const days of [0, 1, 2, 5, 30]) all.push(...Array.from({ length: 40 }, () => any(days)));
  const many = Array.from({ length: 250 }, (_, n) => `MoveCall 0x9::many::f${n}`);
  all.push(aRefusal(noon(3), {}, many), aRefusal(noon(4), {}, many.slice(7, 8)));
  all.sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1));
  expect(await tables.refuse(all)).toBe(all.length);
});

async function listAll(viewer: Viewer, filters: RecordFilters, limit: number) {
  const found: object[] = [];
  let before: string | undefined;
  do {
    const page = await queries.list({ viewer, filters, limit, ...(before && { before }) });
    expect(page.data.length).toBeLessThanOrEqual(limit);
    found.push(...page.data);
    before = page.next ?? undefined;
  } while (before !== undefined);
  return found;
}

function passes(viewer: Viewer, filters: RecordFilters, one: IdentifiedRefusal): boolean {
  const { refused, commands } = one;
  const time = Number(refused.at);
  const texts = [
    [viewer.token, refused.token],
    [viewer.user, refused.user],
    [filters.token, refused.token],
    [filters.user, refused.user],
    [filters.sender, refused.sender],
    [filters.sponsor, refused.sponsor],
    [filters.status, refused.status],
    [filters.error, refused.code],
    [filters.digest, refused.digest],
  ];
  const parts = (['package', 'module', 'function'] as const).filter((part) => filters[part]);
  return (
    texts.every(([filter, has]) => (filter ?? has) === has) &&
    filters.outcome === undefined &&
    time >= (filters.from ?? 0) &&
    time <= (filters.to ?? Infinity) &&
    (parts.length === 0 ||
      calledFunctions(commands).some((call) => parts.every((part) => call[part] === filters[part])))
  );
}

const filters: readonly RecordFilters[] = [
  {},
  { token: 'shop' },
  { user: '0xa' },
  { sender: '0xb' },
  { sponsor: '0x6' },
  { status: '429' },
  { outcome: 'failure' },
  { package: '0x2' },
  { package: '0x3', module: 'coin', function: 'mint' },
  { module: 'shop' },
  { function: 'unknown' },
  { package: '0x9' },
  { package: '0x9', function: 'f7' },
  { digest: 'D1' },
  { error: 'FORBIDDEN' },
  { from: noon(5) - 1_000, to: noon(1) },
  { from: noon(5), to: noon(5) },
  { package: '0x2', status: '403', token: 'bank', error: 'FORBIDDEN', from: noon(2) },
];
const viewers: readonly Viewer[] = [
  everybody,
  { token: 'shop', user: null },
  { token: 'game', user: '0xb' },
  { token: 'nobody', user: null },
];

describe('a list of refused requests', () => {
  it.each(filters.map((one) => [JSON.stringify(one), one] as const))(
    'has exactly those that pass %s and the viewer may see, the newest first',
    async (_name, one) => {
      for (const viewer of viewers) {
        const expected = all
          .filter((each) => passes(viewer, one, each))
          .map(({ refused }) => formRefusal(refused));
        expect(await listAll(viewer, one, 7)).toEqual(expected);
        expect(await listAll(viewer, one, 1_000)).toEqual(expected);
      }
    },
  );
});
