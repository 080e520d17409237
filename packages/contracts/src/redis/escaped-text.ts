const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n' };
const PLAIN: Readonly<Record<string, string>> = { '\\': '\\', t: '\t', n: '\n' };

/** Escapes a text for a field of a stored record; fields are separated by tabs and line ends. */
export function escapeText(text: string): string {
  return text.replace(/[\\\t\n]/g, (character) => ESCAPES[character]!);
}

/** Restores an escaped text. */
export function readEscaped(text: string): string {
  return text.replace(/\\([\\tn])/g, (_escape, character: string) => PLAIN[character]!);
}
