import { describe, expect, it } from '@jest/globals';
import type { ExecutionOutcome, RequestType, TransactionEffects } from '@forecourt/contracts';
import { OutcomeWatch } from './outcome-watch.js';

const effects = { status: { status: 'success' } } as TransactionEffects;
const reply = (outcome: ExecutionOutcome, over = {}) => ({
  reservationId: 64,
  digest: 'D',
  fence: 1,
  outcome,
  ...over,
});
const executed = reply({ kind: 'executed', effects });
const refused = { kind: 'refused', message: 'no' } as const;
const REFUSED = { code: 'REFUSED_BY_LEDGER', message: 'no' };

function aWatch(requestType: RequestType = 'waitForEffectsCert'): OutcomeWatch {
  const waiter = { gateway: 'g', requestType };
  const lookup = { caller: 'shop', reservationId: 64, digest: 'D', waiter };
  return new OutcomeWatch(lookup, () => undefined);
}

describe('a watch for the outcome of a transaction', () => {
  it('returns effects that arrived before the call', async () => {
    const watch = aWatch();
    watch.receive(executed);
    expect(await watch.next(1, 0)).toEqual(effects);
  });

  it('returns effects as soon as they arrive', async () => {
    const watch = aWatch();
    const waiting = watch.next(1, 60_000);
    watch.receive(executed);
    expect(await waiting).toEqual(effects);
  });

  it('keeps waiting for the read node if requested, with the effects at hand', async () => {
    const watch = aWatch('waitForLocalExecution');
    watch.receive(executed);
    expect(await watch.next(1, 0)).toBeNull();
    expect(watch.effects).toEqual(effects);
    const waiting = watch.next(1, 60_000);
    watch.receive(reply({ kind: 'local' }));
    expect(await waiting).toEqual(effects);
  });

  it('ignores the refusal of an earlier claim', async () => {
    const watch = aWatch();
    watch.receive(reply(refused, { fence: 1 }));
    expect(await watch.next(2, 0)).toBeNull();
    watch.receive(reply(refused, { fence: 2 }));
    await expect(watch.next(2, 0)).rejects.toMatchObject(REFUSED);
  });

  it('ignores the refusal of another reservation', async () => {
    const watch = aWatch();
    watch.receive(reply(refused, { reservationId: 128 }));
    expect(await watch.next(1, 0)).toBeNull();
    watch.receive(reply(refused));
    await expect(watch.next(1, 0)).rejects.toMatchObject(REFUSED);
  });
});
