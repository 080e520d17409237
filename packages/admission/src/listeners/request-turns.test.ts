import { EventEmitter } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ConnectionPlaces } from './connection-places.js';
import { RequestTurns } from './request-turns.js';

beforeEach(() => void jest.useFakeTimers({ now: 0 }));
afterEach(() => void jest.useRealTimers());

const GROUP = '192.0.2.1';

/** Turns at a listener, and how many connections it reads. */
function turnsOf() {
  const turns = new RequestTurns(new ConnectionPlaces(10_000));
  let read = 0;
  const open = (remoteAddress: string) => {
    const socket = Object.assign(new Socket(), {
      read: () => {
        read += 1;
        return null;
      },
    });
    Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
    turns.open(socket);
    (socket as EventEmitter).emit('readable');
    return socket;
  };
  const sendAhead = () => {
    const handle = turns.inTurn(() => undefined);
    const socket = open(GROUP);
    for (let count = 0; count < 2; count++) {
      const request = new IncomingMessage(socket);
      handle(request, new ServerResponse(request));
    }
    read = 0;
  };
  return { open, sendAhead, read: () => read };
}

describe('connections of a client that sent a request ahead', () => {
  it('are read one after the other, and those of others at once', () => {
    const { open, sendAhead, read } = turnsOf();
    sendAhead();
    for (let count = 0; count < 3; count++) open(GROUP);
    open('198.51.100.1');
    expect(read()).toBe(2);
    jest.advanceTimersByTime(10);
    expect(read()).toBe(3);
    jest.advanceTimersByTime(10);
    expect(read()).toBe(4);
  });

  it('wait for at most three seconds', () => {
    const { open, sendAhead, read } = turnsOf();
    sendAhead();
    for (let count = 0; count < 1_000; count++) open(GROUP);
    jest.advanceTimersByTime(2_999);
    expect(read()).toBeLessThan(1_000);
    jest.advanceTimersByTime(1);
    expect(read()).toBe(1_000);
  });

  it('are read at once again five seconds after the last such request', () => {
    const { open, sendAhead, read } = turnsOf();
    sendAhead();
    jest.advanceTimersByTime(4_000);
    sendAhead();
    jest.advanceTimersByTime(4_999);
    for (let count = 0; count < 3; count++) open(GROUP);
    expect(read()).toBe(1);
    jest.advanceTimersByTime(1_000);
    for (let count = 0; count < 3; count++) open(GROUP);
    expect(read()).toBe(3 + 3);
  });
});
