import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { ConnectionPlaces } from './connection-places.js';

class Connection extends EventEmitter {
  isClosed = false;

  constructor(readonly remoteAddress: string) {
    super();
  }

  destroy(): void {
    this.isClosed = true;
    this.emit('close');
  }
}

/** Connections from an address, in the order in which they asked for a place. */
function connect(places: ConnectionPlaces, address: string, count = 1): Connection[] {
  return Array.from({ length: count }, () => {
    const connection = new Connection(address);
    places.enter(connection as unknown as Socket);
    return connection;
  });
}

const openOf = (connections: readonly Connection[]) =>
  connections.filter(({ isClosed }) => !isClosed).length;

const busy = (places: ConnectionPlaces, connections: readonly Connection[]) =>
  connections.forEach((connection) => places.noteBusy(connection as unknown as Socket));

describe('places for connections', () => {
  it('are all for one client while no other one connects', () => {
    const places = new ConnectionPlaces(10);
    expect(openOf(connect(places, '203.0.113.1', 20))).toBe(10);
    expect(places.open).toBe(10);
  });

  it('pass from the client with the most connections to a newcomer, idle ones first', () => {
    const places = new ConnectionPlaces(10);
    const many = connect(places, '203.0.113.1', 7);
    const few = connect(places, '203.0.113.2', 3);
    busy(places, many.slice(0, 3));
    const newcomer = connect(places, '203.0.113.3');
    expect([openOf(newcomer), openOf(few), many[3]!.isClosed]).toEqual([1, 3, true]);
    expect(places.open).toBe(10);
  });

  it('are divided evenly among clients that all want more', () => {
    const places = new ConnectionPlaces(30);
    const all = ['203.0.113.1', '203.0.113.2', '203.0.113.3'].map((address) =>
      connect(places, address, 40),
    );
    expect(all.map(openOf)).toEqual([10, 10, 10]);
  });

  it('are shared by all addresses of an IPv6 /48', () => {
    const places = new ConnectionPlaces(10);
    const victim = connect(places, '2001:db8:1::1', 2);
    for (let part = 0; part < 100; part++) connect(places, `2001:db8:2:${part}::1`);
    expect([openOf(victim), openOf(connect(places, '2001:db8:3::1'))]).toEqual([2, 1]);
  });

  it('are not taken from requests in progress, unless one client holds more than half', () => {
    const places = new ConnectionPlaces(10);
    const [first, second] = [connect(places, '203.0.113.1', 5), connect(places, '203.0.113.2', 5)];
    busy(places, [...first, ...second]);
    expect(openOf(connect(places, '203.0.113.3'))).toBe(0);
    second[0]!.destroy();
    busy(places, connect(places, '203.0.113.1'));
    expect(openOf(connect(places, '203.0.113.3'))).toBe(1);
  });
});
