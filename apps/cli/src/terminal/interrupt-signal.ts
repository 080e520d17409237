/** A signal that aborts when the user presses Ctrl-C. */
export function interruptSignal(): AbortSignal {
  const interrupted = new AbortController();
  process.once('SIGINT', () => interrupted.abort());
  return interrupted.signal;
}
