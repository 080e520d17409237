import { describe, expect, it } from '@jest/globals';
import { describeEnd, readTimeline, sumPhases } from './read-timeline.js';

const timelineOf = (...steps: readonly (readonly [string, number])[]) =>
  steps.map(([event, time]) => ({ event, at: time })) as Parameters<typeof readTimeline>[0];

const LEDGER = 'REFUSED_BY_LEDGER';

describe('a timeline', () => {
  it('separates waiting from work', () => {
    const phases = readTimeline(
      timelineOf(
        ['reserved', 0],
        ['claimed', 400],
        ['begun', 430],
        ['submitted', 450],
        ['executed', 700],
      ),
      false,
    );
    expect(phases.map(({ kind, from, to }) => [kind, from, to])).toEqual([
      ['waiting', 0, 400],
      ['waiting', 400, 430],
      ['work', 430, 450],
      ['work', 450, 700],
    ]);
    expect(sumPhases(phases, 9_999)).toEqual({ waitingMs: 430, workMs: 270 });
  });

  it('counts an open phase until now', () => {
    const phases = readTimeline(timelineOf(['reserved', 1_000]), true);
    expect(sumPhases(phases, 1_500)).toEqual({ waitingMs: 500, workMs: 0 });
  });

  it('shows a second claim after a refusal as another round', () => {
    const phases = readTimeline(
      timelineOf(
        ['reserved', 0],
        ['claimed', 1],
        ['begun', 2],
        ['claimed', 5],
        ['begun', 6],
        ['executed', 8],
      ),
      false,
    );
    expect(sumPhases(phases, 0)).toEqual({ waitingMs: 3, workMs: 5 });
  });

  it('names the outcome of a submission', () => {
    const names = (end: string, ...refusedAt: number[]) =>
      readTimeline(
        timelineOf(['reserved', 0], ['claimed', 1], ['begun', 2], ['submitted', 3], [end, 9]),
        false,
        refusedAt.map((time) => ({ at: time, code: LEDGER })),
      )
        .slice(3)
        .map(({ name }) => name);
    expect(names('executed')).toEqual(['Executed by the ledger']);
    expect(names('quarantined')[0]).toBe('Not executed so far');
    expect(names('expired', 5)).toEqual([
      'Refused by the ledger',
      'Refused, waiting for the application',
    ]);
  });

  it('claims nothing that did not happen', () => {
    const namesOf = (...steps: readonly string[]) => {
      const timeline = timelineOf(...steps.map((event, time) => [event, time] as const));
      return readTimeline(timeline, true).map(({ name }) => name);
    };
    expect(namesOf('reserved', 'expired')).toEqual(['Reserved and not used']);
    expect(namesOf('reserved', 'claimed', 'expired')[1]).toBe('Queued, not taken up');
    expect(namesOf('reserved', 'claimed', 'begun')[2]).toBe('Taken up by an executor');
    const whileQueued = timelineOf(['reserved', 0], ['claimed', 1], ['begun', 9]);
    const ofGateway = [{ at: 5, code: 'RESERVATION_USED' }];
    expect(readTimeline(whileQueued, true, ofGateway)).toEqual(readTimeline(whileQueued, true));
    const unsigned = timelineOf(['reserved', 0], ['claimed', 1], ['begun', 2]);
    expect(readTimeline(unsigned, true, [{ at: 3, code: LEDGER }])[2]!.name).toBe(
      'Checked, not submitted',
    );
  });

  it('does not wait for the application after a quarantine, and ends before or after its deadline', () => {
    const quarantined = timelineOf(
      ['reserved', 0],
      ['claimed', 1],
      ['quarantined', 2],
      ['expired', 9],
    );
    const [, , , refused] = readTimeline(quarantined, false, [{ at: 5, code: LEDGER }]);
    expect(refused!.name).toBe('Refused, waiting for its coins');
    expect(describeEnd(quarantined)).toBe('Never executed, coins returned');
    const refusedBefore = timelineOf(['reserved', 0], ['claimed', 1], ['expired', 9]);
    expect(describeEnd(refusedBefore)).toBe('Deadline passed, coins returned');
    expect(describeEnd(timelineOf(['reserved', 0]))).toBeNull();
  });

  it('names its end differently from every phase', () => {
    for (const end of ['executed', 'expired', 'released'] as const) {
      for (const before of [['reserved'], ['reserved', 'claimed', 'begun', 'submitted']]) {
        const timeline = timelineOf(
          ...[...before, end].map((event, time) => [event, time] as const),
        );
        const phases = readTimeline(timeline, false).map(({ name }) => name);
        expect(phases).not.toContain(describeEnd(timeline));
      }
    }
  });

  it('has no phase after the end', () => {
    expect(readTimeline(timelineOf(['reserved', 0], ['expired', 60]), false)).toHaveLength(1);
  });

  it('never counts less than nothing if clocks differ', () => {
    expect(
      sumPhases(readTimeline(timelineOf(['reserved', 9], ['claimed', 5], ['begun', 5]), false), 0),
    ).toEqual({
      waitingMs: 0,
      workMs: 0,
    });
  });
});
