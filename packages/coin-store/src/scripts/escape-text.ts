const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n' };
const PLAIN: Readonly<Record<string, string>> = { '\\': '\\', t: '\t', n: '\n' };

/** A text as a part of what scripts write, whose parts are separated by tabs and line ends. */
export function escapeText(text: string): string {
  return text.replace(/[\\\t\n]/g, (character) => ESCAPES[character]!);
}

/** The text again. */
export function readEscaped(text: string): string {
  return text.replace(/\\([\\tn])/g, (_escape, character: string) => PLAIN[character]!);
}
