import type { FoundReservation } from '@forecourt/contracts';

type Refusal = Pick<NonNullable<FoundReservation['refusal']>, 'message'>;

/** No node reported the outcome before the epoch of the submission ended. While it is quarantined, it may still be executed. */
export function isOutcomeUnknown({ message }: Refusal): boolean {
  return message === '';
}

/** Why a transaction will never be executed, for its caller. */
export function describeRefusal(refusal: Refusal): string {
  if (!isOutcomeUnknown(refusal)) return refusal.message;
  return 'The transaction was not executed before the epoch of its submission ended, and cannot be executed any more';
}
