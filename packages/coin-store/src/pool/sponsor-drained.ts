import type { Drain } from './drains.js';

/** The sponsor gives no reservations. */
export class SponsorDrained extends Error {
  override readonly name = 'SponsorDrained';

  constructor(readonly drain: Drain) {
    super(`The sponsor is drained: ${drain.reason}`);
  }
}
