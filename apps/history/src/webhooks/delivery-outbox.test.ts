import { describe, expect, it } from '@jest/globals';
import { aSponsorship } from '../history.test-support.js';
import { eventsOfEnded } from './delivery-outbox.js';

const AT = 1_800_000_000_000;
const refusal = (time: number) => {
  return { at: time, status: 400, code: 'REFUSED_BY_LEDGER', message: 'no', digest: 'D1' };
};

describe('the events of an ended sponsorship', () => {
  it.each(['executed', 'expired', 'released'] as const)('have its end as %s', (status) => {
    const ended = aSponsorship(AT, { status });
    expect(eventsOfEnded(ended)).toMatchObject([
      { type: `sponsorship.${status}`, token: 'shop', at: ended.ended_at, data: ended },
    ]);
  });

  it('have each refusal by the ledger before, and the same keys whenever they are read', () => {
    const ended = aSponsorship(AT, { status: 'expired', refusals: [refusal(AT), refusal(AT + 1)] });
    const events = eventsOfEnded(ended);
    expect(events.map(({ type, at: time }) => [type, time])).toEqual([
      ['sponsorship.refused', AT],
      ['sponsorship.refused', AT + 1],
      ['sponsorship.expired', ended.ended_at],
    ]);
    const keys = events.map(({ key }) => key);
    expect(new Set(keys).size).toBe(3);
    expect(eventsOfEnded(structuredClone(ended)).map(({ key }) => key)).toEqual(keys);
  });
});
