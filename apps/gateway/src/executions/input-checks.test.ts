import { beforeEach, describe, expect, it } from '@jest/globals';
import type {
  DecodedTransaction,
  DryRun,
  InspectedInputs,
  ReadRecentObjects,
} from '@forecourt/ledger';
import { ForecourtError } from '@forecourt/contracts';
import { createLogger } from '@forecourt/runtime/service';
import type { DryRunMode } from './dry-run-mode.js';
import { InputChecks } from './input-checks.js';
import type { LookedAt, Undecided } from './undecided-inputs.js';

const reference = { objectId: '0x1', version: 3, digest: 'D' };
const FIT: InspectedInputs = {
  refusal: null,
  undecided: null,
  exclusive: [reference],
  doubts: [],
};
const DOUBTFUL: InspectedInputs = { ...FIT, doubts: ['it receives objects'] };
const transaction = (digest: string) => ({ digest }) as DecodedTransaction;

let looks: string[] = [];
let dryRuns: string[] = [];
let refusals: string[] = [];
let recent: ReadonlyMap<string, unknown> = new Map();
let answer = () => Promise.resolve();
type OpenIn<T> = (looked: T) => Undecided<T> | null;

const made = new Map([['0x1', { ...reference, owner: null }]]);
let recentObjects = { read: () => Promise.resolve(made) };

beforeEach(() => {
  [looks, dryRuns, refusals] = [[], [], []];
  answer = () => Promise.resolve();
  recentObjects = { read: () => Promise.resolve(made) };
});

const ACCEPTED: DryRun = { kind: 'accepted', simulated: {} as never };
const BEHIND: DryRun = { kind: 'behind', message: 'no such coin' };

/** Its node answers dry runs with these, the last of them again and again. */
function aGateway(
  inspected: InspectedInputs,
  dryRun: DryRunMode = 'doubtful',
  ...outcomes: readonly DryRun[]
): InputChecks {
  const ledger = {
    async inspectInputs({ digest }: DecodedTransaction, readRecent?: ReadRecentObjects) {
      looks.push(digest);
      recent = await readRecent!(['0x1']);
      await answer();
      return inspected;
    },
    dryRun({ digest }: DecodedTransaction) {
      dryRuns.push(digest);
      return Promise.resolve(outcomes[dryRuns.length - 1] ?? outcomes.at(-1) ?? ACCEPTED);
    },
  };
  const refused = {
    requireRoom: () => undefined,
    count: (caller: string) => Promise.resolve(void refusals.push(caller)),
  };
  const undecided = {
    async decide<T>({ caller }: LookedAt, look: () => Promise<T>, openIn: OpenIn<T>) {
      const looked = await look();
      const open = openIn(looked);
      if (open === null) return looked;
      throw new ForecourtError('INPUT_UNDECIDED', `${caller}: ${open.message}`);
    },
  };
  const logger = createLogger('test', 'fatal');
  return new InputChecks(ledger, refused, { dryRun }, logger, undecided, recentObjects);
}

describe('the input checks before a claim', () => {
  it.each<[DryRunMode, InspectedInputs, number]>([
    ['never', FIT, 0],
    ['never', DOUBTFUL, 0],
    ['doubtful', FIT, 0],
    ['doubtful', DOUBTFUL, 1],
    ['always', FIT, 1],
    ['always', DOUBTFUL, 1],
  ])('DRY_RUN=%s, %j: %d dry runs', async (mode, inspected, expected) => {
    const exclusive = await aGateway(inspected, mode).check('shop', 1, transaction('A'));
    expect(exclusive).toEqual([reference]);
    expect([dryRuns.length, refusals]).toEqual([expected, []]);
  });

  it('refuse with the ledger’s message, count the refusal, and skip the dry run', async () => {
    const refused = { ...FIT, refusal: 'gone' };
    const check = aGateway(refused, 'always').check('shop', 1, transaction('A'));
    await expect(check).rejects.toMatchObject({ code: 'REFUSED_BY_LEDGER', message: 'gone' });
    expect([refusals, dryRuns]).toEqual([['shop'], []]);
  });

  it('do not count a refusal of what the node still shows: its caller could not know better', async () => {
    const stale = { ...FIT, refusal: 'stale', isBehind: true };
    const check = aGateway(stale).check('shop', 1, transaction('A'));
    await expect(check).rejects.toMatchObject({ code: 'REFUSED_BY_LEDGER' });
    expect(refusals).toEqual([]);
  });

  it.each<[DryRun, string]>([
    [{ kind: 'refused', message: 'no' }, 'REFUSED_BY_LEDGER'],
    [{ kind: 'undecided', message: 'busy' }, 'LEDGER_UNREACHABLE'],
  ])('a dry run that answers %j ends it, and is counted', async (outcome, code) => {
    const check = aGateway(DOUBTFUL, 'doubtful', outcome).check('shop', 1, transaction('A'));
    await expect(check).rejects.toMatchObject({ code });
    expect(refusals).toEqual(['shop']);
  });

  it('claim nothing while inputs are undecided, and do not try a dry run', async () => {
    const lookAgain = () => Promise.reject(new Error('looked again'));
    const undecided = { message: 'not yet', areMany: false, lookAgain };
    const check = aGateway({ ...FIT, exclusive: [], undecided }, 'always').check(
      'shop',
      1,
      transaction('A'),
    );
    await expect(check).rejects.toMatchObject({ code: 'INPUT_UNDECIDED', detail: 'shop: not yet' });
    expect([refusals, dryRuns]).toEqual([[], []]);
  });

  it('try again while the node does not show the sponsor’s coins yet', async () => {
    const gateway = aGateway(DOUBTFUL, 'doubtful', BEHIND, ACCEPTED);
    await gateway.check('shop', 1, transaction('A'));
    expect([dryRuns, refusals]).toEqual([['A', 'A'], []]);
  });

  it('claim nothing while the node does not show the sponsor’s coins, and count nothing against the caller', async () => {
    const check = aGateway(DOUBTFUL, 'doubtful', BEHIND).check('shop', 1, transaction('A'));
    await expect(check).rejects.toMatchObject({ code: 'INPUT_UNDECIDED', detail: 'no such coin' });
    expect(refusals).toEqual([]);
  });

  it('claim nothing while a dry run names what the node does not show yet', async () => {
    const outcome: DryRun = { kind: 'missing', message: 'not yet' };
    const check = aGateway(DOUBTFUL, 'doubtful', outcome).check('shop', 1, transaction('A'));
    await expect(check).rejects.toMatchObject({ code: 'INPUT_UNDECIDED', detail: 'shop: not yet' });
    expect(refusals).toEqual([]);
  });

  it('use what the fleet has seen change, and do without where Redis does not answer', async () => {
    await aGateway(FIT).check('shop', 1, transaction('A'));
    expect(recent).toBe(made);
    recentObjects = { read: () => Promise.reject(new Error('no Redis')) };
    await aGateway(FIT).check('shop', 1, transaction('B'));
    expect(recent.size).toBe(0);
  });

  it('run once for concurrent identical calls', async () => {
    const gateway = aGateway(FIT);
    await Promise.all(Array.from({ length: 50 }, () => gateway.check('shop', 1, transaction('A'))));
    expect(looks).toEqual(['A']);
    await gateway.check('shop', 1, transaction('A'));
    expect(looks).toEqual(['A', 'A']);
  });

  it('are limited per reservation for concurrent different transactions', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    answer = () => released;
    const gateway = aGateway(FIT);
    const checks = Array.from({ length: 12 }, (_, index) =>
      gateway.check('shop', 1, transaction(`T${index}`)),
    );
    const other = gateway.check('shop', 2, transaction('other'));
    release();
    const ended = await Promise.allSettled([...checks, other]);
    const turnedAway = ended.filter(({ status }) => status === 'rejected');
    expect([turnedAway.length, looks.length]).toEqual([4, 9]);
    expect(turnedAway[0]).toMatchObject({ reason: { code: 'REFUSED_TOO_OFTEN' } });
    await gateway.check('shop', 1, transaction('later'));
  });
});
