import { Webhook } from 'standardwebhooks';

/** A message as receivers get it. */
export interface WebhookMessage {
  /** The same with every repetition. */
  readonly id: string;
  readonly body: string;
}

/** The headers of Standard Webhooks, with a signature for each secret. */
export function signMessage(
  { id, body }: WebhookMessage,
  secrets: readonly string[],
  at: Date,
): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((one) => new Webhook(one).sign(id, at, body)).join(' '),
  };
}

/** The body of a message. `at`: milliseconds since 1970. */
export function writeBody(type: string, at: number, data: object): string {
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data });
}
