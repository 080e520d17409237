/**
 * A text without the control characters that a terminal acts on: messages of the ledger, names and answers come from others,
 * and could move the cursor, hide what follows, or imitate the program's own output.
 */
export function plainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}
