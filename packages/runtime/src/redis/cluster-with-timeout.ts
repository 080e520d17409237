import { Cluster, type ClusterNode, type ClusterOptions } from 'ioredis';

type AllOptions = ConstructorParameters<typeof Cluster<'legacy'>>[1];

/**
 * A cluster client whose calls always end: the command timeout also applies while no node can be reached, and `connect`
 * settles even when it takes several attempts.
 */
export class ClusterWithTimeout extends Cluster {
  /**
   * Connects like ioredis, which begins anew when it finds the cluster down and then never settles the promise, so that a
   * queue's worker would wait forever.
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
