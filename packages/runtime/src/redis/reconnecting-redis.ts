import { Redis, type RedisOptions } from 'ioredis';

/** What tells the compiler that replies are as they always were. */
type Legacy = { readonly replyMapping?: 'legacy' };

const AGAIN_MS = 100;

/**
 * A client that goes on until it is told to stop. When sentinels name a new master while a connection is being opened,
 * ioredis takes that for the end and never tries again.
 */
export class ReconnectingRedis extends Redis {
  #isOver = false;

  constructor(options: RedisOptions) {
    super(options as RedisOptions & Legacy);
    this.on('end', () => setTimeout(() => this.#goOn(), AGAIN_MS));
  }

  override disconnect(reconnect = false): void {
    if (!reconnect) this.#isOver = true;
    super.disconnect(reconnect);
  }

  override duplicate(options: RedisOptions = {}): Redis {
    return new ReconnectingRedis({ ...this.options, ...options });
  }

  #goOn(): void {
    if (this.#isOver || this.status !== 'end') return;
    // What goes wrong is an `error` event, and another end.
    this.connect().catch(() => undefined);
  }
}
