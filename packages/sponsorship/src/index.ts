export {
  type CalledFunction,
  calledFunctions,
  describeTransaction,
} from './describe-transaction.js';
export { readEndedSponsorship, readRebuilt, readRefusedRequest } from './entries.js';
export { EntryTooNew } from './entry-too-new.js';
export { InvalidEntry } from './invalid-entry.js';
export { formRefusal } from './form-refusal.js';
export { formRebuilt, formSponsorship } from './form-sponsorship.js';
export { findDecision, type FoundDecision } from './find-decision.js';
export { isLargePage } from './large-page.js';
export { maySee, passesFilters, sharePathOf } from './match-sponsorship.js';
export { compareIn } from './list-order.js';
export { firstReservationAt, idWithoutReservation, reservedAt } from './reserved-at.js';
