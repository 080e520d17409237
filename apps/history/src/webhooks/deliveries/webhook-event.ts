import type {
  FleetEvent,
  ListedRefusal,
  Sponsorship,
  SponsorshipEvent,
  WebhookEvent,
} from '@forecourt/contracts';

/** Something to notify receivers of. */
export interface NotifiedEvent {
  /** Identifies the event: one read twice has the same key. */
  readonly key: string;
  readonly type: WebhookEvent;
  /** The token whose webhooks receive it besides the fleet's; null: only the fleet's. */
  readonly token: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly data: object;
}

/** The events of a sponsorship that has ended: its end, and each execute that the ledger refused before. */
export function eventsOfEnded(sponsorship: Sponsorship): readonly NotifiedEvent[] {
  const { reservation_id, status, refusals, ended_at, created_at } = sponsorship;
  const at = ended_at ?? created_at;
  const ended = eventOf(sponsorship, `sponsorship.${status}` as SponsorshipEvent, 'end', at);
  const refused = refusals.map((refusal) => {
    const occurrence = `refusal ${refusal.at} ${refusal.digest ?? ''} ${refusal.code}`;
    return eventOf(sponsorship, 'sponsorship.refused', occurrence, refusal.at);
  });
  return [...refused, ended];

  function eventOf(data: Sponsorship, type: SponsorshipEvent, occurrence: string, time: number) {
    const key = `sponsorship ${data.sponsor_address} ${reservation_id} ${occurrence}`;
    return { key, type, token: data.token, at: time, data };
  }
}

/** The event of a sponsorship whose coins were quarantined at this time. */
export function eventOfQuarantine(sponsorship: Sponsorship, at: number): NotifiedEvent {
  const type = 'sponsorship.quarantined';
  const { reservation_id, sponsor_address, token } = sponsorship;
  const key = `sponsorship ${sponsor_address} ${reservation_id} quarantine ${at}`;
  return { key, type, token, at, data: sponsorship };
}

/** The event of a refused request. `entry`: the id of its entry in the stream. */
export function eventOfRefusal(refusal: ListedRefusal, entry: string): NotifiedEvent {
  const type = 'sponsorship.refused';
  const { at, token } = refusal;
  return { key: `refusal ${entry}`, type, token, at, data: refusal };
}

/** An event of the fleet. */
export function eventOfFleet(
  type: FleetEvent,
  key: string,
  at: number,
  data: object,
): NotifiedEvent {
  return { key, type, token: null, at, data };
}
