import { describe, expect, it } from '@jest/globals';
import type { ExecutionOutcome, RequestType } from '@forecourt/contracts';
import { OutcomeWatches } from './outcome-watches.js';

const effects = { status: { status: 'success' } };
const reply = (outcome: ExecutionOutcome, over = {}) => ({
  reservationId: 64,
  digest: 'D',
  fence: 1,
  outcome,
  ...over,
});
const question = (digest: string, requestType: RequestType = 'waitForEffectsCert') => {
  const waiter = { gateway: 'g', requestType };
  return { caller: 'shop', reservationId: 64, digest, waiter };
};
const executed = reply({ kind: 'executed', effects });

describe('a watch for the outcome of a digest', () => {
  it('returns an outcome that arrived before the call', async () => {
    const watches = new OutcomeWatches();
    const watch = watches.add(question('D'));
    watches.receive(executed);
    const received = await watch.next(1, 0);
    expect(received).toEqual({ kind: 'executed', effects });
  });

  it('wakes every waiter for the digest and no other', async () => {
    const watches = new OutcomeWatches();
    const [one, two, other] = ['D', 'D', 'E'].map((digest) => watches.add(question(digest)));
    const waiting = [one, two].map((watch) => watch!.next(1, 5_000));
    watches.receive(executed);
    expect(await Promise.all(waiting)).toEqual(Array(2).fill({ kind: 'executed', effects }));
    expect(await other!.next(1, 0)).toBeNull();
  });

  it('keeps waiting for the read node if requested, with the effects at hand', async () => {
    const watches = new OutcomeWatches();
    const watch = watches.add(question('D', 'waitForLocalExecution'));
    watches.receive(executed);
    expect(await watch.next(1, 0)).toBeNull();
    expect(watch.effects()).toEqual(effects);
    const waiting = watch.next(1, 5_000);
    watches.receive(reply({ kind: 'local' }));
    expect(await waiting).toEqual({ kind: 'executed', effects });
  });

  it('ignores the refusal of an earlier claim', async () => {
    const watches = new OutcomeWatches();
    const watch = watches.add(question('D'));
    const refused = { kind: 'refused', message: 'no' } as const;
    watches.receive(reply(refused, { fence: 1 }));
    expect(await watch.next(2, 0)).toBeNull();
    watches.receive(reply(refused, { fence: 2 }));
    expect(await watch.next(2, 0)).toEqual(refused);
  });

  it('keeps nothing of closed watches', () => {
    const watches = new OutcomeWatches();
    const added = ['D', 'D', 'E'].map((digest) => watches.add(question(digest)));
    expect(watches.size).toBe(2);
    for (const watch of added) watch.close();
    expect(watches.size).toBe(0);
  });

  it('ignores the refusal of another reservation', async () => {
    const watches = new OutcomeWatches();
    const watch = watches.add(question('D'));
    watches.receive(reply({ kind: 'refused', message: 'no' }, { reservationId: 128 }));
    expect(await watch.next(1, 0)).toBeNull();
    watches.receive(reply({ kind: 'refused', message: 'no' }));
    expect(await watch.next(1, 0)).toMatchObject({ kind: 'refused' });
  });
});
