import { type RedisServer, type RedisServerOptions, startRedisServer } from '../redis/index.js';
import type { Watchdog } from './watchdog.js';

/** A private Redis that can be killed and started again on its port and data. */
export class RedisProcess {
  private constructor(
    private server: RedisServer,
    private readonly options: RedisServerOptions,
    private readonly watchdog: Watchdog | undefined,
  ) {}

  static async start(options: RedisServerOptions, watchdog?: Watchdog): Promise<RedisProcess> {
    const server = await startRedisServer(options);
    watchdog?.watch(server.process);
    return new RedisProcess(server, options, watchdog);
  }

  get url(): string {
    return this.server.url;
  }
  get port(): number {
    return this.server.port;
  }
  get pid(): number | undefined {
    return this.server.process.pid;
  }

  /** Ends it (default SIGTERM) and waits. A temporary data folder is removed. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    return this.server.stop(signal);
  }

  /** Starts it again after a stop, on the same port. */
  async start(): Promise<void> {
    const { port } = this.server;
    this.server = await startRedisServer({ ...this.options, port });
    this.watchdog?.watch(this.server.process);
  }

  /** Ends it with a signal and starts it again on the same port; only data in a folder that was named are kept. */
  async restart(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await this.server.stop(signal);
    await this.start();
  }
}

/** Starts a private durable Redis on loopback. */
export function startRedis(
  options: RedisServerOptions = {},
  watchdog?: Watchdog,
): Promise<RedisProcess> {
  return RedisProcess.start(options, watchdog);
}
