import { Redis, type RedisOptions } from 'ioredis';

/** Selects the legacy types of replies. */
type Legacy = { readonly replyMapping?: 'legacy' };

const RETRY_MS = 100;

/**
 * A client that reconnects until `disconnect` is called. When sentinels name a new master while a connection
 * is being opened, plain ioredis ends the connection and never tries again.
 */
export class ReconnectingRedis extends Redis {
  #isOver = false;

  constructor(options: RedisOptions) {
    super(options as RedisOptions & Legacy);
    this.on('end', () => setTimeout(() => this.goOn(), RETRY_MS));
  }

  override disconnect(reconnect = false): void {
    if (!reconnect) this.#isOver = true;
    super.disconnect(reconnect);
  }

  override duplicate(options: RedisOptions = {}): Redis {
    return new ReconnectingRedis({ ...this.options, ...options });
  }

  private goOn(): void {
    if (this.#isOver || this.status !== 'end') return;
    // A failure emits `error` and `end` again.
    this.connect().catch(() => undefined);
  }
}
