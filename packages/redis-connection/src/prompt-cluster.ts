import { Cluster } from 'ioredis';

/** A cluster's client that gives every command its time limit also while no node is there to send it to. */
export class PromptCluster extends Cluster {
  override sendCommand(...args: Parameters<Cluster['sendCommand']>): unknown {
    const limit = this.options.redisOptions?.commandTimeout;
    if (limit !== undefined) args[0].setTimeout(limit);
    return super.sendCommand(...args);
  }
}
