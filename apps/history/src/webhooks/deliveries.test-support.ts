import { partial } from '@forecourt/testing/jest';
import { sponsorshipEvents, type WebhookAttempt } from '@forecourt/contracts';
import { type Receiver, toReceiver, type WebhookDirectory } from './webhook-directory.js';
import type { NotifiedEvent } from './delivery-outbox.js';

export const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

export function aReceiver(url: string, token: string | null = 'shop'): Receiver {
  return toReceiver({ token, url, shownUrl: url, events: sponsorshipEvents, secrets: [SECRET] });
}

export function anEvent(key: string, token = 'shop'): NotifiedEvent {
  return { key, type: 'sponsorship.executed', token, at: 1_000, data: { key } };
}

/** The receivers of a token, and those of the fleet. */
export function directoryOf(all: readonly Receiver[]) {
  const receiversOf = (_type: string, token: string | null) =>
    all.filter((one) => one.token === token || one.token === null);
  return partial<WebhookDirectory>({ receiversOf });
}

export function anAttempt(error: string | null = 'Answered 500'): Omit<WebhookAttempt, 'at'> {
  return { duration_ms: 10, status: error === null ? 200 : 500, error, answer: 'text' };
}
