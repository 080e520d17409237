import { describe, expect, it } from '@jest/globals';
import { readTimeline, sumPhases } from './read-timeline.js';

const at = (...steps: readonly (readonly [string, number])[]) =>
  steps.map(([event, time]) => ({ event, at: time })) as Parameters<typeof readTimeline>[0];

describe('a timeline', () => {
  it('separates waiting from work', () => {
    const phases = readTimeline(
      at(['reserved', 0], ['claimed', 400], ['begun', 430], ['submitted', 450], ['executed', 700]),
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
    const phases = readTimeline(at(['reserved', 1_000]), true);
    expect(sumPhases(phases, 1_500)).toEqual({ waitingMs: 500, workMs: 0 });
  });

  it('shows a second claim after a refusal as another round', () => {
    const phases = readTimeline(
      at(
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
        at(['reserved', 0], ['claimed', 1], ['begun', 2], ['submitted', 3], [end, 9]),
        false,
        refusedAt.map((time) => ({ at: time })),
      )
        .slice(3)
        .map(({ name }) => name);
    expect(names('executed')).toEqual(['Executed by the node']);
    expect(names('quarantined')[0]).toBe('Submitted, not executed');
    expect(names('expired', 5)).toEqual([
      'Refused by the ledger',
      'Refused, waits for the application',
    ]);
  });

  it('has no phase after the end', () => {
    expect(readTimeline(at(['reserved', 0], ['expired', 60]), false)).toHaveLength(1);
  });

  it('never counts less than nothing if clocks differ', () => {
    expect(
      sumPhases(readTimeline(at(['reserved', 9], ['claimed', 5], ['begun', 5]), false), 0),
    ).toEqual({
      waitingMs: 0,
      workMs: 0,
    });
  });
});
