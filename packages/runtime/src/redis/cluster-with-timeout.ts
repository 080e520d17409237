import { Cluster, type ClusterNode, type ClusterOptions } from 'ioredis';

type AllOptions = ConstructorParameters<typeof Cluster<'legacy'>>[1];

/**
 * A cluster's client that leaves nobody waiting: every command has its time limit also while no node is there to send it
 * to, and whoever connects hears of it also when that took several tries.
 */
export class ClusterWithTimeout extends Cluster {
  /**
   * As ioredis connects; but where it finds the cluster down it begins anew and never settles the promise, for which a
   * queue's worker would wait for ever.
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
      const fail = (error = new Error('The connection was closed before it was open')) => {
        forget();
        reject(error);
      };
      this.once('ready', succeed);
      this.once('end', fail);
      super.connect().then(succeed, fail);
    });
  }

  /** A queue's worker waits for jobs on a connection that is made like this. */
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
