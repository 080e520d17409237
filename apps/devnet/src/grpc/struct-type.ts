/** A node's words for a text that names no struct. */
export function wrongStructType(text: string): string {
  return `Invalid struct type: ${text}. Got error: expected token ::, got [identifier]`;
}
