/**
 * A text without what a terminal acts on instead of showing it: messages of the ledger, names and answers come from others,
 * and could move the cursor, hide what follows, or write what a person takes for the program's own words.
 */
export function plainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}
