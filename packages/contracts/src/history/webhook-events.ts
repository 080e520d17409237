/** Events about one sponsorship, or one refused request: a token's webhooks receive those of their token. */
export const sponsorshipEvents = [
  'sponsorship.executed',
  'sponsorship.refused',
  'sponsorship.expired',
  'sponsorship.released',
  'sponsorship.quarantined',
] as const;

/** Events about the fleet, for the webhooks of its operator. */
export const fleetEvents = [
  'sponsor.low',
  'sponsor.exhausted',
  'pool.suspended',
  'pool.resumed',
  'action.taken',
] as const;

export const webhookEvents = [...sponsorshipEvents, ...fleetEvents] as const;

export type SponsorshipEvent = (typeof sponsorshipEvents)[number];
export type FleetEvent = (typeof fleetEvents)[number];
export type WebhookEvent = (typeof webhookEvents)[number];

/** The event that `POST /v1/webhooks/test` sends. No webhook can be without it. */
export const TEST_EVENT = 'webhook.test';

/** Stream in Redis: the fleet's events besides actions, written by the leaders of the pools (`FleetEventEntry`). */
export const FLEET_EVENTS_KEY = 'fc:fleet-events';
/** About how many of them are kept. */
export const KEPT_FLEET_EVENTS = 1_000;

/** The fields of an entry of `FLEET_EVENTS_KEY`. Its id has the time. */
export interface FleetEventEntry {
  readonly type: Exclude<FleetEvent, 'action.taken'>;
  readonly sponsor: string;
  /** The figures behind the event, an object as JSON. */
  readonly data: string;
}
