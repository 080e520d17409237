/**
 * The transaction stays bound to its coins, and the job is to be run again.
 * `slow`: only an epoch change or a rare event can help, so there is no hurry.
 */
export class OutcomePending extends Error {
  override readonly name = 'OutcomePending';

  constructor(
    message: string,
    readonly slow = false,
  ) {
    super(message);
  }
}
