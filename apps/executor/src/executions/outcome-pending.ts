/**
 * The outcome is not known: the transaction stays bound to its coins, and the job is repeated.
 * `slow`: only an epoch change or a rare event can change that, so the pause before the next attempt is longer. `pauseMs`:
 * exactly this long, since validators then release their locks.
 */
export class OutcomePending extends Error {
  override readonly name = 'OutcomePending';

  constructor(
    message: string,
    readonly slow = false,
    readonly pauseMs?: number,
  ) {
    super(message);
  }
}
