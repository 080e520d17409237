import { listenerLimits } from './limits/listener-limits.js';

/** Shorter messages are cheap to parse, whatever is in them. */
const SHORT = 16 * 1024;
const DEEPEST = listenerLimits.bodyStructure.default;
/**
 * Arrays and objects are usually longer than this; many short ones cost much to parse and nothing to send.
 */
const LEAST_BYTES_PER_STRUCTURE = 16;
/** The same for all elements and fields, among them arrays and objects. */
const LEAST_BYTES_PER_VALUE = 8;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [OPENING_BRACKET, CLOSING_BRACKET] = [0x5b, 0x5d];
const [OPENING_BRACE, CLOSING_BRACE] = [0x7b, 0x7d];

/**
 * Finds the reason why JSON would be expensive to parse, without parsing it: too deep, too many values for
 * its length, or too many calls in one batch. Null: nothing, or the text is short. `maxBatch` is absent where
 * an array is not a batch.
 */
export function findExpense(text: string, maxBatch = Infinity): string | null {
  if (text.length < SHORT) return null;
  const mostStructures = text.length / LEAST_BYTES_PER_STRUCTURE;
  const mostValues = text.length / LEAST_BYTES_PER_VALUE;
  const isBatch = text.charCodeAt(0) === OPENING_BRACKET;
  let depth = 0;
  let structures = 0;
  let commas = 0;
  let calls = 1;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) {
      depth += 1;
      structures += 1;
      if (depth > DEEPEST) return `message is nested more than ${DEEPEST} levels deep`;
      if (structures > mostStructures) return 'message has too many short arrays and objects';
    } else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) depth -= 1;
    else if (code === COMMA) {
      commas += 1;
      if (commas + structures > mostValues) return 'message has too many short values';
      if (depth === 1 && isBatch) calls += 1;
    }
  }
  return isBatch && calls > maxBatch
    ? `batch of ${calls} calls exceeds the limit of ${maxBatch}`
    : null;
}

/** The place of the closing quote of the string that begins at `from`; the end of a text without one. */
function endOfString(text: string, from: number): number {
  for (let index = from + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) return index;
    if (code === BACKSLASH) index += 1;
  }
  return text.length;
}
