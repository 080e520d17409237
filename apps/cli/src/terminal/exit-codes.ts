/** Exit codes of commands; `--help` of each command names those that it uses. */
export const EXIT = {
  ok: 0,
  /** The answer is no: denied, refused, would fail, differs. */
  negative: 1,
  /** Wrong arguments, or something failed. */
  failed: 2,
} as const;
