import { IsText } from './is-text.js';

const MAX_REASON_LENGTH = 300;

/** Why an operator does something. */
export function IsReason() {
  return IsText({ maxLength: MAX_REASON_LENGTH });
}
