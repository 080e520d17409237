import { setTimeout as delay } from 'node:timers/promises';
import { Seeded } from '../../support/seeded.js';
import { queryEvents } from './honest-events.js';
import { HonestSubscriber } from './honest-subscriber.js';
import { type HonestAccess, HonestUser } from './honest-user.js';
import { HonestSamples } from './honest-samples.js';

/** An event is missing if it has not arrived this long after the last transaction. */
const EVENTS_MS = 10_000;

/** Clients that use the service as intended: users, one reader of events and one subscriber. */
export class HonestClients {
  private constructor(
    private readonly access: HonestAccess,
    private readonly users: readonly HonestUser[],
    private readonly subscriber: HonestSubscriber,
  ) {}

  static async open(access: HonestAccess, users: number, seed: number): Promise<HonestClients> {
    const seeded = new Seeded(seed);
    const all = Array.from({ length: users }, () => new HonestUser(access, seeded.branch()));
    const addresses = all.map(({ address }) => address);
    return new HonestClients(access, all, await HonestSubscriber.open(access, addresses));
  }

  get addresses(): string[] {
    return this.users.map(({ address }) => address);
  }

  /** Runs until `signal` is aborted, then completes the requests under way. */
  async use(samples: HonestSamples, signal: AbortSignal): Promise<void> {
    await Promise.all([
      ...this.users.map((user) => user.use(samples.sponsoring, signal)),
      queryEvents(this.access, samples.queries, signal),
    ]);
  }

  /** The fault of the subscription: it ended, or events are missing. */
  async checkSubscription(): Promise<string | null> {
    const wanted = () => this.users.reduce((sum, { drives }) => sum + drives, 0);
    const deadline = performance.now() + EVENTS_MS;
    while (this.subscriber.received < wanted() && performance.now() < deadline) await delay(50);
    const { ended, received } = this.subscriber;
    if (ended !== null) return `the honest subscription ended: ${ended}`;
    return received < wanted()
      ? `the honest subscriber got ${received} of ${wanted()} events`
      : null;
  }

  close(): void {
    this.subscriber.close();
  }
}
