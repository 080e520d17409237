import { IsText } from './is-text.js';

const LONGEST_REASON = 300;

/** Why an operator does something. */
export function IsReason() {
  return IsText({ maxLength: LONGEST_REASON });
}
