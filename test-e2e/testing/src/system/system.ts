import type { App, Program } from '../processes/paths.js';
import { type Finished, runApp } from '../processes/run-app.js';
import type { ServiceProcess } from '../processes/service-process.js';
import type { Watchdog } from '../processes/watchdog.js';
import type { RedisServer } from '../redis/index.js';
import type { ProvidedDatabase } from './provided-database.js';
import type { SystemFacts } from './service-environment.js';

/** Stops dependents first: the gateways, then the services behind them, then Redis and the node. */
const STOP_ORDER: readonly (readonly Program[])[] = [
  ['gateway', 'events', 'station'],
  ['executor'],
  ['coin-pool', 'history'],
  ['devnet'],
];

/** A running system. */
export class System {
  readonly processes: ServiceProcess[] = [];
  redis: RedisServer | null = null;
  database: ProvidedDatabase | null = null;
  controlUrl: string | null = null;
  faucetUrl: string | null = null;
  /** The address of the first sponsor. */
  sponsor = '';

  constructor(
    readonly facts: SystemFacts,
    private readonly watchdog: Watchdog,
    readonly logDir: string,
  ) {}

  /** The processes that run one app, in the order of their starts. */
  services(app: App): ServiceProcess[] {
    return this.processes.filter(
      (service) => service.app === app || (service.app === 'station' && app !== 'devnet'),
    );
  }

  get gatewayUrls(): string[] {
    return this.services('gateway').map(({ url }) => url);
  }
  get token(): string {
    return this.facts.tokens[0]!;
  }

  /** Compares the ledger's coins with the pool's; exit code 0 when they agree. */
  audit(args: readonly string[] = []): Promise<Finished> {
    return runApp('cli', this.services('coin-pool')[0]!.options.env, {
      entry: 'forecourt.js',
      args: ['audit', ...args],
    });
  }

  /**
   * Stops every process but Redis and the database, in reverse order, and waits; kills those that exceed the
   * time limit.
   */
  async stopServices(deadlineMs?: number): Promise<void> {
    for (const apps of STOP_ORDER) {
      const group = this.processes.filter(({ app }) => apps.includes(app));
      await Promise.all(group.map((service) => service.stop(deadlineMs)));
    }
  }

  /** Stops everything. */
  async stop(deadlineMs?: number): Promise<void> {
    await this.stopServices(deadlineMs);
    await this.redis?.stop();
    await this.database?.end();
    this.watchdog.close();
  }
}
