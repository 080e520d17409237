import { sponsorshipEvents } from '@forecourt/contracts';
import { type Receiver, toReceiver } from './receiver.js';
import type { NotifiedEvent } from './webhook-event.js';

export const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

export function aReceiver(url: string, token: string | null = 'shop'): Receiver {
  return toReceiver({ token, url, shownUrl: url, events: sponsorshipEvents, secrets: [SECRET] });
}

export function anEvent(key: string, token = 'shop'): NotifiedEvent {
  return { key, type: 'sponsorship.executed', token, at: 1_000, data: { key } };
}
