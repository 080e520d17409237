import { partial } from '@forecourt/testing/jest';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { RpcConnection } from '@forecourt/json-rpc';
import { SubscriptionQuota } from './subscription-quota.js';

let quota: SubscriptionQuota;
beforeEach(() => {
  quota = new SubscriptionQuota(
    partial({
      maxFilterBytes: 2 ** 19,
      maxFilterBytesPerConnection: 4 * 2 ** 20,
      maxFilterBytesInAll: 256 * 2 ** 20,
      maxFieldPathsPerConnection: 128,
      maxSubscriptionsPerConnection: 100,
      maxSubscriptions: 1_600,
      maxFieldPathsInAll: 1_024,
    }),
  );
});

const connect = (client: string) =>
  ({ client, memory: { add: () => () => undefined } }) as unknown as RpcConnection;

function subscribe(connection: RpcConnection, ...paths: string[]): (() => void) | null {
  try {
    return quota.take(connection, { bytes: 100, paths: new Set(paths) });
  } catch {
    return null;
  }
}

/** How many different field paths a client gets over many connections. */
function takePaths(client: string): number {
  let taken = 0;
  while (subscribe(connect(client), `/${client}/${taken}`) !== null) taken += 1;
  return taken;
}

describe('shares of subscriptions', () => {
  it('leave field paths for a newcomer after 32 clients have taken all they get', () => {
    expect(takePaths('203.0.113.0')).toBe(64);
    for (let client = 1; client < 32; client++) takePaths(`203.0.113.${client}`);
    expect(takePaths('198.51.100.1')).toBeGreaterThan(1);
  });

  it('are as large for an IPv6 network as for an IPv4 address', () => {
    expect(takePaths('2001:db8:0:0::/64')).toBe(64);
  });

  it('leave others their shares after all networks of an IPv6 /48 have taken theirs', () => {
    for (let part = 0; part < 32; part++) takePaths(`2001:db8:0:${part.toString(16)}::/64`);
    expect(takePaths('2001:db8:1:0::/64')).toBeGreaterThan(1);
    expect(takePaths('203.0.113.1')).toBeGreaterThan(50);
  });

  it('do not count paths that others use too', () => {
    for (let client = 0; client < 200; client++) {
      expect(subscribe(connect(`203.0.113.${client}`), '/same')).not.toBeNull();
    }
  });

  it('are given back when subscriptions end', () => {
    const connection = connect('203.0.113.1');
    const releases = Array.from({ length: 64 }, (_, path) => subscribe(connection, `/${path}`)!);
    expect(subscribe(connection, '/more')).toBeNull();
    releases.pop()!();
    expect(subscribe(connection, '/more')).not.toBeNull();
  });
});
