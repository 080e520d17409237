import { beforeEach, describe, expect, it } from '@jest/globals';
import { ForecourtError } from '@forecourt/contracts';
import { FindLanded } from './find-landed.js';

const LIMIT = 3;
const landed = { digest: 'D', effects: {} };
const refusal = new ForecourtError('RESERVATION_UNKNOWN', '64');

let looks: number;
let hasLanded: boolean;
let findLanded: FindLanded;

beforeEach(() => {
  [looks, hasLanded] = [0, false];
  const ledger = {
    async findTransaction() {
      looks += 1;
      return hasLanded ? landed : null;
    },
  };
  findLanded = new FindLanded(ledger as never, { maxRefusedExecutions: LIMIT });
});

/** How so many look-ups for a caller end, all at once. */
async function endsOf(caller: string, count: number, by = refusal): Promise<string[]> {
  const ends = Array.from({ length: count }, () =>
    findLanded.run(caller, 'D', by).then(
      () => 'found',
      (error: ForecourtError) => error.code,
    ),
  );
  return Promise.all(ends);
}

describe('looking for a transaction that has left no trace here', () => {
  it('is refused to a caller who has looked in vain too often, and to nobody else', async () => {
    const unknown = Array<string>(LIMIT).fill('RESERVATION_UNKNOWN');
    expect(await endsOf('shop', LIMIT + 2)).toEqual([
      ...unknown,
      'REFUSED_TOO_OFTEN',
      'REFUSED_TOO_OFTEN',
    ]);
    expect(looks).toBe(LIMIT);
    expect(await endsOf('other', LIMIT)).toEqual(unknown);
  });

  it('does not count what the ledger has refused, which is counted already', async () => {
    const refused = new ForecourtError('REFUSED_BY_LEDGER', 'gone');
    const ends = await endsOf('shop', LIMIT + 2, refused);
    expect(ends).toEqual(Array<string>(LIMIT + 2).fill('REFUSED_BY_LEDGER'));
  });

  it('does not count transactions that have landed', async () => {
    hasLanded = true;
    for (let turn = 0; turn < LIMIT + 2; turn++) expect(await endsOf('shop', 1)).toEqual(['found']);
  });
});
