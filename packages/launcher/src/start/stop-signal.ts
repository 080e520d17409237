/** A signal that aborts on SIGINT, SIGTERM or SIGHUP, and when the command that started this process ends. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => controller.abort(signal));
  }
  process.stdin.on('end', () => controller.abort('end of input')).resume();
  return controller.signal;
}
