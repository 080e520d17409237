import type { BudgetKind } from '../messages/usage-messages.js';

/** Events about one sponsorship, or one refused request: a token's webhooks receive those of their token. */
export const sponsorshipEvents = [
  'sponsorship.executed',
  'sponsorship.refused',
  'sponsorship.expired',
  'sponsorship.released',
  'sponsorship.quarantined',
] as const;

/** Events that a token's webhooks may have: a budget of the token has reached a threshold. */
export const tokenEvents = [...sponsorshipEvents, 'budget.threshold'] as const;

/** Events about the fleet, for the webhooks of its operator. */
export const fleetEvents = [
  'sponsor.low',
  'sponsor.exhausted',
  'pool.suspended',
  'pool.resumed',
  'action.taken',
] as const;

export const webhookEvents = [...tokenEvents, ...fleetEvents] as const;

export type SponsorshipEvent = (typeof sponsorshipEvents)[number];
export type TokenEvent = (typeof tokenEvents)[number];
export type FleetEvent = (typeof fleetEvents)[number];
export type WebhookEvent = (typeof webhookEvents)[number];

/** The event that `POST /v1/webhooks/test` sends. No webhook can be without it. */
export const TEST_EVENT = 'webhook.test';

/**
 * Stream in Redis: the fleet's events besides actions, written by the leaders of the pools
 * (`FleetEventEntry`).
 */
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

/** A budget whose thresholds are announced, as `budget.threshold` shows it. */
export interface AnnouncedBudget {
  readonly kind: BudgetKind;
  readonly name: string;
  /** Of a rule; null: the general rules. */
  readonly rule_set: string | null;
  /** The only token that is counted; null: several may be. */
  readonly token: string | null;
  readonly counts: 'gas' | 'requests';
  /** In the smallest unit, or requests. */
  readonly limit: string;
  /** Null: a total, which is never renewed. */
  readonly window_secs: number | null;
  /** Milliseconds since 1970; null: it has no end, or is renewed. */
  readonly ends_at: number | null;
}

/** The fields of an entry of a pool's stream `history-thresholds`. Its id has the time. */
export interface ThresholdEntry {
  /** Percent. */
  readonly threshold: string;
  readonly used: string;
  /** Name of the counter. */
  readonly counter: string;
  /** Beginning of its window, in ms. */
  readonly window: string;
  /** `AnnouncedBudget` as JSON. */
  readonly budget: string;
}
