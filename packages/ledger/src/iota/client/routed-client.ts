import type { NodeClient } from './node-client.js';

/** One call of a client, to be carried out at some node. */
export interface ClientCall<T> {
  readonly method: keyof NodeClient;
  readonly ask: (node: NodeClient) => Promise<T>;
  readonly signal?: AbortSignal | undefined;
}

/** A client that leaves it to `send` at which node, when and how often a call is made. */
export abstract class RoutedClient implements NodeClient {
  getChainIdentifier = this.through('getChainIdentifier');
  getSystemState = this.through('getSystemState');
  getLatestCheckpoint = this.through('getLatestCheckpoint');
  getCheckpoint = this.through('getCheckpoint');
  getCheckpoints = this.through('getCheckpoints');
  getObjects = this.through('getObjects');
  getParameters = this.through('getParameters');
  getCoins = this.through('getCoins');
  countCoins = this.through('countCoins');
  getTransaction = this.through('getTransaction');
  getTransactions = this.through('getTransactions');
  queryTransactions = this.through('queryTransactions');
  queryEvents = this.through('queryEvents');
  dryRun = this.through('dryRun');
  execute = this.through('execute');

  abstract send<T>(call: ClientCall<T>): Promise<T>;

  private through<M extends keyof NodeClient>(method: M): NodeClient[M] {
    type Ask = (...args: unknown[]) => Promise<unknown>;
    const ask: Ask = (...args) =>
      this.send({ method, ask: (node) => (node[method] as Ask)(...args) });
    return ask as NodeClient[M];
  }
}

/** A client whose calls `send` carries out. */
export function clientThrough(send: RoutedClient['send']): NodeClient {
  return new (class extends RoutedClient {
    override send = send;
  })();
}
