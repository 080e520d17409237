import { CallSlots, type RpcConnection } from '@forecourt/json-rpc';

/** Replays that go on at once on one connection. */
const AT_ONCE = 4;

/** Lets a few replays of a connection go on at once; the others wait their turn. */
export class ReplayTurns {
  readonly #slots = new WeakMap<RpcConnection, CallSlots>();

  run<T>(connection: RpcConnection, step: () => Promise<T>): Promise<T> {
    let slots = this.#slots.get(connection);
    if (slots === undefined) {
      slots = new CallSlots(AT_ONCE);
      this.#slots.set(connection, slots);
    }
    return slots.run(step);
  }
}
