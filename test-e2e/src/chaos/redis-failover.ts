import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { startRedisServer, waitUntil } from '@forecourt/testing/redis';
import { Redis } from 'ioredis';

/** Run during one failover, before each phase ends. */
export interface FailoverPhases {
  /** The first server takes writes that the replica does not get. */
  readonly losing: () => Promise<unknown>;
  /** The replica serves. */
  readonly serving: () => Promise<unknown>;
  /** The replica takes writes that the first server, its replica by then, does not get. */
  readonly losingBack: () => Promise<unknown>;
}

/** A proxy in front of a Redis, which can lead to a replica with fewer writes and back. */
export class RedisFailover {
  readonly #sockets = new Set<Socket>();
  #port: number;

  private constructor(
    private readonly relay: Server,
    readonly url: string,
    private readonly home: string,
  ) {
    this.#port = Number(new URL(home).port);
    relay.on('connection', (client) => this.pass(client));
  }

  /** `home`: the address of the first server. */
  static async start(home: string): Promise<RedisFailover> {
    const relay = createServer().listen(0, '127.0.0.1');
    await once(relay, 'listening');
    return new RedisFailover(
      relay,
      `redis://127.0.0.1:${(relay.address() as AddressInfo).port}`,
      home,
    );
  }

  stop(): void {
    this.relay.close();
    this.breakConnections();
  }

  /**
   * Fails over to a replica that lacks the latest writes, and back to the first server, which has the
   * replica's data then and its old run id. `operator`: an address with a user that may do everything, at
   * this proxy or the server.
   */
  async failOver(operator: string, { losing, serving, losingBack }: FailoverPhases): Promise<void> {
    const { username, password } = new URL(operator);
    const open = (port: number) =>
      new Redis({ host: '127.0.0.1', port, username, password, maxRetriesPerRequest: null });
    const home = Number(new URL(this.home).port);
    const first = open(home);
    const replica = await startRedisServer({
      users: await first.acl('LIST'),
      settings: {
        replicaof: `127.0.0.1 ${home}`,
        masteruser: username,
        masterauth: password,
        'repl-diskless-sync-delay': '0',
      },
    });
    const second = open(replica.port);
    try {
      await untilReplicating(second);
      await second.replicaof('NO', 'ONE');
      await losing();
      this.leadTo(replica.port);
      await serving();
      await first.config('SET', 'masteruser', username, 'masterauth', password);
      await first.replicaof('127.0.0.1', replica.port);
      await untilReplicating(first);
      await first.replicaof('NO', 'ONE');
      await losingBack();
      this.leadTo(home);
    } finally {
      first.disconnect();
      second.disconnect();
      await replica.stop('SIGKILL');
    }
  }

  private leadTo(port: number): void {
    this.#port = port;
    this.breakConnections();
  }

  private breakConnections(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  private pass(client: Socket): void {
    const server = connect(this.#port, '127.0.0.1');
    this.#sockets.add(client);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.setNoDelay(true);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
      one.pipe(other);
    }
    client.on('close', () => this.#sockets.delete(client));
  }
}

async function untilReplicating(redis: Redis): Promise<void> {
  const isUp = async () => (await redis.info('replication')).includes('master_link_status:up');
  await waitUntil(isUp, { what: 'a replica that has all data' });
}
