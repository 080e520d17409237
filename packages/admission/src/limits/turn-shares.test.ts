import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TurnShares } from './turn-shares.js';

describe('TurnShares', () => {
  const started: string[] = [];

  /** Starts work that takes `milliseconds` for `client` as soon as the client has a share. */
  function start(turns: TurnShares<string>, client: string, name: string, milliseconds: number) {
    const proceed = () => {
      if (!turns.hasShare(client)) return turns.wait(client, proceed);
      started.push(name);
      turns.spend(client, milliseconds);
    };
    proceed();
  }

  /** A turn of the event loop that begins while time passes takes a millisecond. */
  const nextTurn = () => jest.advanceTimersByTime(1);

  beforeEach(() => {
    started.length = 0;
    jest.useFakeTimers();
  });
  afterEach(() => void jest.useRealTimers());

  it('gives a client with many connections no larger share than a client with one', () => {
    const turns = new TurnShares<string>();
    for (let connection = 1; connection <= 5; connection++)
      start(turns, 'many', `${connection}`, 1);
    start(turns, 'one', 'other client', 1);
    expect(started).toEqual(['1', '2', 'other client']);
    jest.advanceTimersByTime(5);
    expect(started).toEqual(['1', '2', 'other client']);
    jest.advanceTimersByTime(1);
    nextTurn();
    expect(started).toEqual(['1', '2', 'other client', '3', '4']);
  });

  it('leaves three quarters of the time to others when one message takes long', () => {
    const turns = new TurnShares<string>();
    start(turns, 'large', 'first', 10);
    start(turns, 'large', 'second', 10);
    start(turns, 'small', 'other client', 0.1);
    jest.advanceTimersByTime(29);
    expect(started).toEqual(['first', 'other client']);
    jest.advanceTimersByTime(1);
    nextTurn();
    expect(started).toEqual(['first', 'other client', 'second']);
  });

  it('lets others proceed between the turns of clients that wait', () => {
    const turns = new TurnShares<string>();
    for (const client of ['a', 'b', 'c']) {
      start(turns, client, `${client} first`, 2);
      start(turns, client, `${client} second`, 2);
    }
    started.length = 0;
    jest.advanceTimersByTime(6);
    nextTurn();
    start(turns, 'other', 'other client', 0.1);
    nextTurn();
    nextTurn();
    expect(started).toEqual(['a second', 'other client', 'b second', 'c second']);
  });

  it('gives a client of small messages a share in every turn', () => {
    const turns = new TurnShares<string>();
    for (let turn = 0; turn < 10; turn++) {
      start(turns, 'small', `turn ${turn}`, 1);
      jest.advanceTimersByTime(0);
    }
    expect(started).toHaveLength(10);
  });
});
