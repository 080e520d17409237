export { addDeliveries } from './deliveries/delivery-outbox.js';
export { eventOfRefusal, eventsOfEnded, type NotifiedEvent } from './deliveries/webhook-event.js';
export { type WebhookParts, Webhooks, type WebhookSettings } from './webhooks.js';
