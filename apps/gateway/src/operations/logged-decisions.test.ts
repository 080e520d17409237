import { afterAll, describe, expect, it } from '@jest/globals';
import { partial, TemporaryFolder } from '@forecourt/testing/jest';
import { LoggedDecisions } from './logged-decisions.js';

const files = new TemporaryFolder();
afterAll(() => files.remove());

const finderOf = (accessAuditFile: string | null) =>
  new LoggedDecisions(partial({ accessAuditFile }));
const line = (fields: object) => JSON.stringify({ msg: 'access decision', ...fields });
const about = (digest: string | null, reservationId: number | null = null) => ({
  digest,
  reservationId,
});

describe('finding access decisions', () => {
  it('returns null if no file is kept, or it cannot be read', async () => {
    expect(await finderOf(null).find(about('D1'))).toBeNull();
    expect(await finderOf(files.pathOf('missing')).find(about('D1'))).toBeNull();
    expect(await finderOf(files.write('empty', '')).find(about('D1'))).toEqual([]);
  });

  it('finds them by digest or reservation, and skips lines that merely contain one', async () => {
    const lines = [
      line({ digest: 'D1', reservationId: 64, outcome: 'deny' }),
      line({ digest: 'D10', reservationId: 640 }),
      line({ caller: 'D1', reason: 'D1 64' }),
      'D1 is not JSON',
      'null',
      '"D1"',
      line({ digest: 'D1', reservationId: 128, outcome: 'allow' }),
    ];
    const finder = finderOf(files.write('audit', `${lines.join('\n')}\n`));
    const outcomes = (await finder.find(about('D1')))!.map(({ outcome }) => outcome);
    expect(outcomes).toEqual(['deny', 'allow']);
    expect(await finder.find(about(null, 128))).toMatchObject([{ reservationId: 128 }]);
    expect(await finder.find(about(null, 12))).toEqual([]);
  });

  it('reads the end of a long file, and returns the latest of many decisions', async () => {
    const filling = `${line({ digest: 'X'.repeat(1_000) })}\n`.repeat(9_000);
    const first = line({ digest: 'D1', first: true });
    const last = Array.from({ length: 30 }, (_, i) => line({ digest: 'D1', i }));
    const finder = finderOf(files.write('long', `${first}\n${filling}${last.join('\n')}`));
    const found = (await finder.find(about('D1'))) as readonly { readonly i: number }[];
    expect(found.map(({ i }) => i)).toEqual(Array.from({ length: 20 }, (_, i) => i + 10));
  });
});
