import { IsText } from './is-text.js';

const MAX_REASON_LENGTH = 300;

/** The reason of an operator's action. */
export function IsReason() {
  return IsText({ maxLength: MAX_REASON_LENGTH });
}
