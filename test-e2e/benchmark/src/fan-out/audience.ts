import { address } from '../samples.js';
import { LightClient } from './light-client.js';

const SENDERS = 20;
/** One of this many messages is parsed for its delay. */
const SAMPLED = 50;
const TIMESTAMP = /"timestamp":(\d+)/;

/** Subscribers, each to the events of one of 20 senders. */
export class Audience {
  readonly clients: LightClient[] = [];
  /** Milliseconds from the ledger to the client, of a sample. */
  delays: number[] = [];
  received = 0;
  #awaited = Infinity;
  #reached: () => void = () => undefined;

  async join(url: string, count: number): Promise<void> {
    const agreed: Promise<void>[] = [];
    for (let index = 0; index < count; index++) {
      const { promise, resolve } = Promise.withResolvers<void>();
      agreed.push(promise);
      const client = await LightClient.open(url, (payload, { frames }) => {
        if (frames === 1) return resolve();
        this.count(payload);
      });
      const filter = { SenderAddress: address(index % SENDERS) };
      client.send(
        JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'ledger_subscribeEvent',
          params: [filter],
        }),
      );
      this.clients.push(client);
    }
    await Promise.all(agreed);
  }

  /** Resolves once `count` more messages have arrived. */
  async receive(count: number): Promise<void> {
    this.#awaited = this.received + count;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#reached = resolve;
    await promise;
  }

  leave(): void {
    for (const { socket } of this.clients) socket.destroy();
  }

  private count(payload: Buffer): void {
    this.received += 1;
    if (this.received % SAMPLED === 0) {
      const timestamp = TIMESTAMP.exec(payload.toString('latin1', 0, 200))?.[1];
      if (timestamp) this.delays.push(Date.now() - Number(timestamp));
    }
    if (this.received >= this.#awaited) this.#reached();
  }
}
