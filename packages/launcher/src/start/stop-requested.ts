/** Aborted when the user wants it to end: SIGINT, SIGTERM, SIGHUP, or the end of the command that started it. */
export function stopRequested(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => controller.abort(signal));
  }
  process.stdin.on('end', () => controller.abort('end of input')).resume();
  return controller.signal;
}
