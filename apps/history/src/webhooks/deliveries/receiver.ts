import { createHash } from 'node:crypto';
import type { ConfiguredWebhook } from '@forecourt/policy/tokens';

/** A configured webhook as a receiver of deliveries. */
export interface Receiver extends ConfiguredWebhook {
  /** Follows from owner and shown URL: new events, secrets or credentials leave it as it is. */
  readonly id: string;
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
