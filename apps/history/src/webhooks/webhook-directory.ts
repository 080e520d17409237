import { createHash } from 'node:crypto';
import type { WebhookEvent } from '@forecourt/contracts';
import {
  type ConfiguredWebhook,
  findFileVersion,
  readWebhookFiles,
  type WebhookFiles,
} from '@forecourt/policy/tokens';
import { untilTick } from '@forecourt/resilience';
import type { Logger } from '@forecourt/runtime/service';

/** Files are polled, because a file that is mounted into a container is replaced without an event. */
const POLL_INTERVAL_MS = 1_000;

/** A configured webhook as a receiver of deliveries. */
export interface Receiver extends ConfiguredWebhook {
  /** Follows from owner and shown URL: new events, secrets or credentials leave it as it is. */
  readonly id: string;
}

/**
 * The configured webhooks. Follows their files while the process runs; a file with a mistake changes nothing.
 */
export class WebhookDirectory {
  #receivers: ReadonlyMap<string, Receiver> = new Map();
  #byToken: ReadonlyMap<string | null, readonly Receiver[]> = new Map();
  #versions: WebhookFiles['versions'] = new Map();
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly tokensFile: string | null,
    private readonly logger: Logger,
  ) {}

  /** Throws `Error` naming the file, the place and the mistake. */
  static async load(tokensFile: string | null, logger: Logger): Promise<WebhookDirectory> {
    const directory = new WebhookDirectory(tokensFile, logger);
    directory.use(await readWebhookFiles(tokensFile));
    return directory;
  }

  follow(): void {
    this.#timer = setTimeout(
      () => void this.reloadIfChanged(),
      untilTick(POLL_INTERVAL_MS),
    ).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  get all(): readonly Receiver[] {
    return [...this.#receivers.values()];
  }

  find(id: string): Receiver | undefined {
    return this.#receivers.get(id);
  }

  /** Those of the token and those of the fleet. */
  receiversOf(type: WebhookEvent, token: string | null): readonly Receiver[] {
    const owned = token === null ? [] : (this.#byToken.get(token) ?? []);
    const all = [...owned, ...(this.#byToken.get(null) ?? [])];
    return all.filter(({ events }) => events.includes(type));
  }

  private use({ webhooks, versions }: WebhookFiles): void {
    const receivers = webhooks.map(toReceiver);
    this.#receivers = new Map(receivers.map((receiver) => [receiver.id, receiver]));
    this.#byToken = Map.groupBy(receivers, ({ token }) => token);
    this.#versions = versions;
  }

  private async reloadIfChanged(): Promise<void> {
    const known = [...this.#versions];
    const now = await Promise.all(known.map(([file]) => findFileVersion(file)));
    if (known.some(([, version], index) => version !== now[index])) {
      await this.reload(new Map(known.map(([file], index) => [file, now[index]!])));
    }
    if (this.#timer !== undefined) this.follow();
  }

  /** `versions`: those of the files now. They are not read again before they change. */
  private async reload(versions: WebhookFiles['versions']): Promise<void> {
    try {
      this.use(await readWebhookFiles(this.tokensFile));
      this.logger.info({ webhooks: this.#receivers.size }, 'Webhooks reloaded after a change');
    } catch (error) {
      this.#versions = versions;
      const message = (error as Error).message;
      this.logger.error({ error: message }, 'Webhooks not reloaded: a file has a mistake');
    }
  }
}

export function toReceiver(webhook: ConfiguredWebhook): Receiver {
  return { ...webhook, id: hashOf([webhook.token, webhook.shownUrl]) };
}

/** The id of the message about an event to a receiver: always the same. */
export function deliveryIdOf(receiver: Pick<Receiver, 'id'>, eventKey: string): string {
  return `whd_${hashOf([receiver.id, eventKey])}`;
}

const ID_LENGTH = 32;

function hashOf(parts: readonly (string | null)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, ID_LENGTH);
}
