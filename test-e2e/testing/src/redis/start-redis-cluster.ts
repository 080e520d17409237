import { Redis } from 'ioredis';
import { freePort } from './free-port.js';
import { startRedisServer } from './start-redis-server.js';
import type { RedisServer } from './redis-server.js';
import { waitUntil } from '../wait-until.js';

const SLOTS = 16_384;

/** A private Redis Cluster on loopback, without replicas. */
export interface RedisCluster {
  /** In the order of their slots. */
  readonly masters: readonly RedisServer[];
  stop(): Promise<void>;
}

/**
 * Starts the masters, spreads the slots evenly over them and waits until each reports a complete
 * cluster.
 */
export async function startRedisCluster({ masters: count = 3 } = {}): Promise<RedisCluster> {
  const buses: number[] = [];
  const masters: RedisServer[] = [];
  const stop = async () => void (await Promise.all(masters.map((master) => master.stop())));
  try {
    for (let index = 0; index < count; index++) {
      buses.push(await freePort());
      masters.push(await startMember(buses[index]!));
    }
    await unite(masters, buses);
  } catch (error) {
    await stop();
    throw error;
  }
  return { masters, stop };
}

function startMember(busPort: number): Promise<RedisServer> {
  return startRedisServer({
    appendfsync: 'no',
    settings: {
      'cluster-enabled': 'yes',
      'cluster-config-file': 'nodes.conf',
      'cluster-port': String(busPort),
      'cluster-node-timeout': '2000',
    },
  });
}

async function unite(masters: readonly RedisServer[], buses: readonly number[]): Promise<void> {
  const clients = masters.map(({ url }) => new Redis(url));
  try {
    for (const [index, client] of clients.entries()) {
      const from = Math.floor((SLOTS * index) / masters.length);
      const to = Math.floor((SLOTS * (index + 1)) / masters.length) - 1;
      await client.cluster('ADDSLOTSRANGE', from, to);
      await client.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
    }
    for (const [index, { port }] of masters.entries()) {
      if (index === 0) continue;
      await clients[0]!.call('CLUSTER', 'MEET', '127.0.0.1', port, buses[index]!);
    }
    const isWhole = async () => {
      const infos = await Promise.all(clients.map((client) => client.cluster('INFO')));
      return infos.every(
        (info) =>
          info.includes('cluster_state:ok') &&
          info.includes(`cluster_known_nodes:${masters.length}`),
      );
    };
    await waitUntil(isWhole, { what: 'the cluster to be whole' });
  } finally {
    for (const client of clients) client.disconnect();
  }
}
