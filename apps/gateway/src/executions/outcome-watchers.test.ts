import { describe, expect, it } from '@jest/globals';
import type { ExecutionOutcome } from '@forecourt/contracts';
import { OutcomeWatchers } from './outcome-watchers.js';

const effects = { status: { status: 'success' } };
const reply = (outcome: ExecutionOutcome, over = {}) => ({
  reservationId: 64,
  digest: 'D',
  fence: 1,
  outcome,
  ...over,
});
const executed = reply({ kind: 'executed', effects });

describe('watching for the outcome of a digest', () => {
  it('returns an outcome that arrived before the call', async () => {
    const watchers = new OutcomeWatchers();
    const watch = watchers.watch('D', 64);
    watchers.receive(executed);
    const received = await watch.next(1, 'waitForEffectsCert', 0);
    expect(received).toEqual({ kind: 'executed', effects });
  });

  it('wakes every watcher of the digest and no other', async () => {
    const watchers = new OutcomeWatchers();
    const [one, two, other] = ['D', 'D', 'E'].map((digest) => watchers.watch(digest, 64));
    const waiting = [one, two].map((watch) => watch!.next(1, 'waitForEffectsCert', 5_000));
    watchers.receive(executed);
    expect(await Promise.all(waiting)).toEqual(Array(2).fill({ kind: 'executed', effects }));
    expect(await other!.next(1, 'waitForEffectsCert', 0)).toBeNull();
  });

  it('keeps waiting for the read node if requested, with the effects at hand', async () => {
    const watchers = new OutcomeWatchers();
    const watch = watchers.watch('D', 64);
    watchers.receive(executed);
    expect(await watch.next(1, 'waitForLocalExecution', 0)).toBeNull();
    expect(watch.effects()).toEqual(effects);
    const waiting = watch.next(1, 'waitForLocalExecution', 5_000);
    watchers.receive(reply({ kind: 'local' }));
    expect(await waiting).toEqual({ kind: 'executed', effects });
  });

  it('ignores the refusal of an earlier claim', async () => {
    const watchers = new OutcomeWatchers();
    const watch = watchers.watch('D', 64);
    const refused = { kind: 'refused', message: 'no' } as const;
    watchers.receive(reply(refused, { fence: 1 }));
    expect(await watch.next(2, 'waitForEffectsCert', 0)).toBeNull();
    watchers.receive(reply(refused, { fence: 2 }));
    expect(await watch.next(2, 'waitForEffectsCert', 0)).toEqual(refused);
  });

  it('keeps nothing of closed watches', () => {
    const watchers = new OutcomeWatchers();
    const watches = ['D', 'D', 'E'].map((digest) => watchers.watch(digest, 64));
    expect(watchers.size).toBe(2);
    for (const watch of watches) watch.close();
    expect(watchers.size).toBe(0);
  });

  it('ignores the refusal of another reservation', async () => {
    const watchers = new OutcomeWatchers();
    const watch = watchers.watch('D', 64);
    watchers.receive(reply({ kind: 'refused', message: 'no' }, { reservationId: 128 }));
    expect(await watch.next(1, 'waitForEffectsCert', 0)).toBeNull();
    watchers.receive(reply({ kind: 'refused', message: 'no' }));
    expect(await watch.next(1, 'waitForEffectsCert', 0)).toMatchObject({ kind: 'refused' });
  });
});
