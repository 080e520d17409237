/** Reason and author of a drain. */
export interface Drain {
  readonly reason: string;
  /** Name of the operator's token. */
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** Its stored form: JSON. */
export function writeDrain({ reason, by, since }: Drain): string {
  return JSON.stringify({ reason, by, since });
}

/** Throws `SyntaxError` when the text is not JSON. */
export function parseDrain(text: string): Drain {
  return JSON.parse(text) as Drain;
}

/** The sponsor gives no reservations. */
export class SponsorDrained extends Error {
  override readonly name = 'SponsorDrained';

  constructor(readonly drain: Drain) {
    super(`The sponsor is drained: ${drain.reason}`);
  }
}
