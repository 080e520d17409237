/** When the command was given, ms since the epoch. */
export const startedAt = performance.timeOrigin;

/** Writes one line about the progress, with the time since the start, to standard error. */
export function say(text: string, since = startedAt): void {
  const seconds = ((Date.now() - since) / 1000).toFixed(1).padStart(6);
  process.stderr.write(`${seconds}s  ${text}\n`);
}
