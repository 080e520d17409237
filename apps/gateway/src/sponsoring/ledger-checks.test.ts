import { beforeEach, describe, expect, it } from '@jest/globals';
import type {
  DecodedTransaction,
  DryRun,
  InspectedInputs,
  ReadRecentObjects,
} from '@forecourt/ledger';
import { ForecourtError } from '@forecourt/contracts';
import { LEDGER } from '@forecourt/runtime/ledger';
import { RecentObjects } from '@forecourt/runtime/recent-objects';
import { createLogger, LOGGER } from '@forecourt/runtime/service';
import { Test } from '@nestjs/testing';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import type { GatewayConfig } from '../gateway-config.js';
import { LedgerChecks } from './ledger-checks.js';
import { RefusalLimit } from './refusal-limit.js';
import { type InspectedCall, type Undecided, UndecidedInputs } from './undecided-inputs.js';

const reference = { objectId: '0x1', version: 3, digest: 'D' };
const FIT: InspectedInputs = {
  refusal: null,
  undecided: null,
  exclusive: [reference],
  doubts: [],
};
const DOUBTFUL: InspectedInputs = { ...FIT, doubts: ['it receives objects'] };
const transaction = (digest: string) => ({ digest }) as DecodedTransaction;

type DryRunMode = GatewayConfig['dryRun'];

let looks: string[] = [];
let dryRuns: string[] = [];
let counted: string[] = [];
/** Ids of the owned and the shared inputs that the ledger was asked about last. */
let inspectedInputs: (readonly string[] | undefined)[] = [];
let recent: ReadonlyMap<string, unknown> = new Map();
let answer = () => Promise.resolve();
type OpenIn<T> = (looked: T) => Undecided<T> | null;

const made = new Map([['0x1', { ...reference, owner: null }]]);
let recentObjects = { read: () => Promise.resolve(made) };

beforeEach(() => {
  [looks, dryRuns, counted] = [[], [], []];
  answer = () => Promise.resolve();
  recentObjects = { read: () => Promise.resolve(made) };
});

const ACCEPTED = { kind: 'accepted', simulated: {} };
const BEHIND: DryRun = { kind: 'behind', message: 'no such coin' };

/** Its node answers dry runs with these, the last of them again and again. */
async function aGateway(
  inspected: InspectedInputs,
  dryRun: DryRunMode = 'doubtful',
  ...outcomes: readonly object[]
): Promise<LedgerChecks> {
  const ledger = {
    async inspectInputs(
      { digest, ownedInputs, sharedInputs }: Partial<DecodedTransaction>,
      readRecent?: ReadRecentObjects,
    ) {
      looks.push(digest!);
      inspectedInputs = [ownedInputs, sharedInputs].map((inputs) =>
        inputs?.map(({ objectId }) => objectId),
      );
      recent = await readRecent!(['0x1']);
      await answer();
      return inspected;
    },
    dryRun({ digest }: DecodedTransaction) {
      dryRuns.push(digest);
      return Promise.resolve(outcomes[dryRuns.length - 1] ?? outcomes.at(-1) ?? ACCEPTED);
    },
  };
  const refusals = {
    requireRoom: () => undefined,
    count: (caller: string) => Promise.resolve(void counted.push(caller)),
  };
  const undecided = {
    async decide<T>({ caller }: InspectedCall, look: () => Promise<T>, openIn: OpenIn<T>) {
      const looked = await look();
      const open = openIn(looked);
      if (open === null) return looked;
      throw new ForecourtError('INPUT_UNDECIDED', `${caller}: ${open.message}`);
    },
  };
  const module = await Test.createTestingModule({
    providers: [
      LedgerChecks,
      { provide: LEDGER, useValue: ledger },
      { provide: GATEWAY_CONFIG, useValue: { dryRun } },
      { provide: LOGGER, useValue: createLogger('test', 'fatal') },
      { provide: RefusalLimit, useValue: refusals },
      { provide: UndecidedInputs, useValue: undecided },
      { provide: RecentObjects, useValue: recentObjects },
    ],
  }).compile();
  return module.get(LedgerChecks);
}

describe('the ledger checks before a claim', () => {
  it.each<[DryRunMode, InspectedInputs, number]>([
    ['never', FIT, 0],
    ['never', DOUBTFUL, 0],
    ['doubtful', FIT, 0],
    ['doubtful', DOUBTFUL, 1],
    ['always', FIT, 1],
    ['always', DOUBTFUL, 1],
  ])('DRY_RUN=%s, %j: %d dry runs', async (mode, inspected, expected) => {
    const exclusive = await (await aGateway(inspected, mode)).check('shop', 1, transaction('A'));
    expect(exclusive).toEqual([reference]);
    expect([dryRuns.length, counted]).toEqual([expected, []]);
  });

  it('of an abstract account include its authenticator’s objects and a dry run, and block none of its objects', async () => {
    const object = (objectId: string) => ({ objectId, version: 1, digest: 'D' });
    const clock = { objectId: '0x6', initialSharedVersion: 1, mutable: false };
    const account = { address: '0xa', immutable: [object('0xa')], shared: [clock] };
    const inputs = { ownedInputs: [object('0xb')], receivedInputs: [], sharedInputs: [clock] };
    const signed = { ...transaction('A'), ...inputs, account };
    expect(await (await aGateway(FIT, 'never')).check('shop', 1, signed)).toEqual([]);
    expect(dryRuns).toHaveLength(1);
    expect(inspectedInputs).toEqual([['0xb', '0xa'], ['0x6']]);
  });

  it('refuse with the ledger’s message, count the refusal, and skip the dry run', async () => {
    const refused = { ...FIT, refusal: 'gone' };
    const check = (await aGateway(refused, 'always')).check('shop', 1, transaction('A'));
    await expect(check).rejects.toMatchObject({ code: 'REFUSED_BY_LEDGER', message: 'gone' });
    expect([counted, dryRuns]).toEqual([['shop'], []]);
  });

  it('do not count a refusal of objects that the node still shows: their caller cannot know better', async () => {
    const stale = { ...FIT, refusal: 'stale', isBehind: true };
    const check = (await aGateway(stale)).check('shop', 1, transaction('A'));
    await expect(check).rejects.toMatchObject({ code: 'REFUSED_BY_LEDGER' });
    expect(counted).toEqual([]);
  });

  it.each<[DryRun, string]>([
    [{ kind: 'refused', message: 'no' }, 'REFUSED_BY_LEDGER'],
    [{ kind: 'undecided', message: 'busy' }, 'LEDGER_UNREACHABLE'],
  ])('a dry run that answers %j ends it, and is counted', async (outcome, code) => {
    const check = (await aGateway(DOUBTFUL, 'doubtful', outcome)).check(
      'shop',
      1,
      transaction('A'),
    );
    await expect(check).rejects.toMatchObject({ code });
    expect(counted).toEqual(['shop']);
  });

  it('claim nothing while inputs are undecided, and do not try a dry run', async () => {
    const lookAgain = () => Promise.reject(new Error('looked again'));
    const undecided = { message: 'not yet', areMany: false, lookAgain };
    const check = (await aGateway({ ...FIT, exclusive: [], undecided }, 'always')).check(
      'shop',
      1,
      transaction('A'),
    );
    await expect(check).rejects.toMatchObject({ code: 'INPUT_UNDECIDED', detail: 'shop: not yet' });
    expect([counted, dryRuns]).toEqual([[], []]);
  });

  it('try again while the node does not show the sponsor’s coins yet', async () => {
    const gateway = await aGateway(DOUBTFUL, 'doubtful', BEHIND, ACCEPTED);
    await gateway.check('shop', 1, transaction('A'));
    expect([dryRuns, counted]).toEqual([['A', 'A'], []]);
  });

  it('claim nothing while the node does not show the sponsor’s coins, and count nothing against the caller', async () => {
    const check = (await aGateway(DOUBTFUL, 'doubtful', BEHIND)).check('shop', 1, transaction('A'));
    await expect(check).rejects.toMatchObject({ code: 'INPUT_UNDECIDED', detail: 'no such coin' });
    expect(counted).toEqual([]);
  });

  it('claim nothing while a dry run names objects that the node does not show yet', async () => {
    const outcome: DryRun = { kind: 'missing', message: 'not yet' };
    const check = (await aGateway(DOUBTFUL, 'doubtful', outcome)).check(
      'shop',
      1,
      transaction('A'),
    );
    await expect(check).rejects.toMatchObject({ code: 'INPUT_UNDECIDED', detail: 'shop: not yet' });
    expect(counted).toEqual([]);
  });

  it('use the changes that the fleet has seen, and do without if Redis does not answer', async () => {
    await (await aGateway(FIT)).check('shop', 1, transaction('A'));
    expect(recent).toBe(made);
    recentObjects = { read: () => Promise.reject(new Error('no Redis')) };
    await (await aGateway(FIT)).check('shop', 1, transaction('B'));
    expect(recent.size).toBe(0);
  });

  it('run once for concurrent identical calls', async () => {
    const gateway = await aGateway(FIT);
    await Promise.all(Array.from({ length: 50 }, () => gateway.check('shop', 1, transaction('A'))));
    expect(looks).toEqual(['A']);
    await gateway.check('shop', 1, transaction('A'));
    expect(looks).toEqual(['A', 'A']);
  });

  it('are not shared between signatures of which only one is an authenticator', async () => {
    const gateway = await aGateway(FIT);
    const inputs = { ownedInputs: [], receivedInputs: [], sharedInputs: [] };
    const signed = { ...transaction('A'), ...inputs };
    const accountOf = (objectId: string) => ({
      address: '0xa',
      immutable: [{ ...reference, objectId }],
      shared: [],
    });
    const checks = [{ account: accountOf('0xa') }, {}, { account: accountOf('0xb') }];
    const exclusive = await Promise.all(
      checks.map((signature) => gateway.check('shop', 1, { ...signed, ...signature })),
    );
    expect(exclusive).toEqual([[], [reference], []]);
    expect(looks).toEqual(['A', 'A', 'A']);
  });

  it('are limited per reservation for concurrent different transactions', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    answer = () => released;
    const gateway = await aGateway(FIT);
    const checks = Array.from({ length: 12 }, (_, index) =>
      gateway.check('shop', 1, transaction(`T${index}`)),
    );
    const other = gateway.check('shop', 2, transaction('other'));
    release();
    const ended = await Promise.allSettled([...checks, other]);
    const turnedAway = ended.filter(({ status }) => status === 'rejected');
    expect([turnedAway.length, looks.length]).toEqual([4, 9]);
    const message = 'Too many transactions are being checked for this reservation; try again later';
    expect(turnedAway[0]).toMatchObject({ reason: { code: 'REFUSED_TOO_OFTEN', message } });
    await gateway.check('shop', 1, transaction('later'));
  });
});
