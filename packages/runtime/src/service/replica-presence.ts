import {
  ANNOUNCED_EVERY_MS,
  AnnouncedReplica,
  readJsonDto,
  REPLICA_GONE_AFTER_MS,
  REPLICAS_KEY,
} from '@forecourt/contracts';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { onTicks } from '@forecourt/resilience';
import type { RedisConnection } from '../redis/index.js';
import { LOGGER, type Logger } from './logger.js';
import { REDIS } from './redis.module.js';
import { ReplicaIdentity } from './replica-identity.js';

/** Far more than a fleet has. */
const MAX_READ = 1_000;

/** A replica that was announced recently. */
export interface SeenReplica extends AnnouncedReplica {
  /** Milliseconds since 1970, by Redis's clock. */
  readonly seenAt: number;
}

/** The parts of an announcement that may change while a replica runs. */
export type ReplicaState = Pick<AnnouncedReplica, 'accessVersion'>;

/** Announces this process in Redis while it runs, so that operators see all replicas and their versions. */
@Injectable()
export class ReplicaPresence implements OnApplicationBootstrap, BeforeApplicationShutdown {
  /**
   * Announcements that may be in Redis, the latest at the end: more than one while an earlier one is yet to
   * be removed.
   */
  readonly #announced = new Set<string>();
  #readState: () => ReplicaState = () => ({});
  #stop: (() => void) | undefined;
  #isAnnounced = true;

  constructor(
    private readonly identity: ReplicaIdentity,
    @Inject(REDIS) private readonly redis: RedisConnection,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Announces the state too, as it is at each announcement. */
  announceWith(readState: () => ReplicaState): void {
    this.#readState = readState;
    if (this.#stop !== undefined) void this.announce();
  }

  onApplicationBootstrap(): void {
    void this.announce();
    this.#stop = onTicks(ANNOUNCED_EVERY_MS, () => void this.announce());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stop?.();
    if (this.#announced.size === 0) return;
    await this.redis.zrem(REPLICAS_KEY, ...this.#announced).catch(() => undefined);
  }

  /**
   * Every replica that was announced recently, once, as it was announced last. Malformed entries are left
   * out. Rejects when Redis does not answer.
   */
  async list(): Promise<readonly SeenReplica[]> {
    const since = (await this.now()) - REPLICA_GONE_AFTER_MS;
    const entries = await this.redis.zrangebyscore(
      REPLICAS_KEY,
      since,
      '+inf',
      'WITHSCORES',
      'LIMIT',
      0,
      MAX_READ,
    );
    // The latest announcement comes last.
    const latest = new Map<string, SeenReplica>();
    for (let i = 0; i < entries.length; i += 2) {
      const announced = readAnnouncement(entries[i]!);
      if (announced) latest.set(announced.id, { ...announced, seenAt: Number(entries[i + 1]) });
    }
    return [...latest.values()];
  }

  private async announce(): Promise<void> {
    try {
      const now = await this.now();
      const current = this.write();
      this.#announced.delete(current);
      this.#announced.add(current);
      await Promise.all([
        this.redis.zadd(REPLICAS_KEY, now, current),
        this.redis.zremrangebyscore(REPLICAS_KEY, '-inf', now - REPLICA_GONE_AFTER_MS),
      ]);
      await this.withdrawBefore(current);
      this.#isAnnounced = true;
    } catch (error) {
      if (this.#isAnnounced)
        this.logger.warn({ error: String(error) }, 'Replica not announced in Redis');
      this.#isAnnounced = false;
    }
  }

  private write(): string {
    const { service, id, version, startedAt } = this.identity;
    const announced: AnnouncedReplica = { service, id, version, startedAt, ...this.#readState() };
    return JSON.stringify(announced);
  }

  private async withdrawBefore(current: string): Promise<void> {
    for (const earlier of this.#announced) {
      if (earlier === current) return;
      await this.redis.zrem(REPLICAS_KEY, earlier);
      this.#announced.delete(earlier);
    }
  }

  /** By Redis's clock: those of the replicas may differ. */
  private async now(): Promise<number> {
    const [seconds, microseconds] = await this.redis.time();
    return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
  }
}

function readAnnouncement(text: string): AnnouncedReplica | null {
  try {
    return readJsonDto(AnnouncedReplica, text);
  } catch {
    return null;
  }
}
