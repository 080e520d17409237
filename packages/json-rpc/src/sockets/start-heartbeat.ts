import type { WebSocket } from 'ws';

/** Pings a peer and calls `onSilent` when it has not responded by the time the next ping is due; default: terminates it. */
export function startHeartbeat(
  webSocket: WebSocket,
  intervalMs: number,
  onSilent = () => webSocket.terminate(),
): void {
  let hasResponded = true;
  const timer = setInterval(() => {
    if (!hasResponded) return onSilent();
    hasResponded = false;
    webSocket.ping();
  }, intervalMs);
  timer.unref();
  webSocket.on('pong', () => (hasResponded = true));
  webSocket.once('close', () => clearInterval(timer));
}
