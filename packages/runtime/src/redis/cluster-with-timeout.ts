import { Cluster, type ClusterNode, type ClusterOptions, Redis } from 'ioredis';

type AllOptions = ConstructorParameters<typeof Cluster<'legacy'>>[1];

/**
 * A cluster client whose calls always end: the command timeout also applies while no node can be reached,
 * `connect` settles even after several attempts, and `disconnect` leads to `end`, which a queue's worker
 * waits for.
 */
export class ClusterWithTimeout extends Cluster {
  constructor(nodes: ClusterNode[], options: AllOptions) {
    super(nodes, options);
    // A redirect that arrives during a disconnect adds a node, and ioredis waits for the end of every node.
    this.on('+node', (node: Redis) => {
      if (this.status === 'disconnecting') node.disconnect();
    });
  }

  /**
   * Wraps the connect of ioredis, which restarts when it finds the cluster down and then never settles its
   * promise, so that a queue's worker would wait forever.
   */
  override connect(): Promise<void> {
    return new Promise((resolve, reject) => {
      const forget = () => {
        this.off('ready', succeed);
        this.off('end', fail);
      };
      const succeed = () => {
        forget();
        resolve();
      };
      const fail = (error = new Error('The Redis connection was closed before it was ready')) => {
        forget();
        reject(error);
      };
      this.once('ready', succeed);
      this.once('end', fail);
      super.connect().then(succeed, fail);
    });
  }

  override disconnect(reconnect = false): void {
    // Between two attempts to connect there is no node whose end ioredis could wait for.
    const isBetweenAttempts = this.status === 'reconnecting' || this.status === 'connecting';
    if (!reconnect && isBetweenAttempts && this.nodes().length === 0) this.status = 'wait';
    super.disconnect(reconnect);
  }

  /** Queue workers duplicate their connection to wait for jobs. */
  override duplicate(nodes: ClusterNode[] = [], options: ClusterOptions = {}): Cluster {
    const redisOptions = { ...this.options.redisOptions, ...options.redisOptions };
    const all = { ...this.options, ...options, redisOptions } as AllOptions;
    const startupNodes = nodes.length > 0 ? nodes : (this['startupNodes'] as ClusterNode[]);
    return new ClusterWithTimeout(startupNodes, all);
  }

  override sendCommand(...args: Parameters<Cluster['sendCommand']>): unknown {
    const limit = this.options.redisOptions?.commandTimeout;
    if (limit !== undefined) args[0].setTimeout(limit);
    return super.sendCommand(...args);
  }
}
