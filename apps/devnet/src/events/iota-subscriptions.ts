import type { RpcConnection } from '@forecourt/json-rpc';
import type { FullNode } from '../engine/full-node.js';
import type { EventPredicate } from './read-event-filter.js';
import { showEvent } from './show-event.js';
import { notify } from './notify.js';

const IOTA_METHOD = 'iotax_subscribeEvent';

interface Subscription {
  readonly connection: RpcConnection;
  readonly matches: EventPredicate;
}

/** Live subscriptions to Move events in the current IOTA dialect. */
export class IotaSubscriptions {
  readonly #open = new Map<number, Subscription>();
  #nextId = 1;

  constructor(fullNode: FullNode) {
    fullNode.changes.on('executed', ({ events }) => {
      for (const event of events) {
        for (const [subscription, { connection, matches }] of this.#open) {
          if (connection.closed.aborted) this.#open.delete(subscription);
          if (connection.closed.aborted || !matches(event)) continue;
          notify(connection, IOTA_METHOD, { subscription, result: showEvent(event) });
        }
      }
    });
  }

  /** Returns the subscription's id and a function that starts it. */
  open(connection: RpcConnection, matches: EventPredicate): { id: number; begin: () => void } {
    const id = this.#nextId++;
    const begin = () => {
      if (connection.closed.aborted) return;
      this.#open.set(id, { connection, matches });
    };
    return { id, begin };
  }

  close(connection: RpcConnection, id: number): boolean {
    return this.#open.get(id)?.connection === connection && this.#open.delete(id);
  }
}
