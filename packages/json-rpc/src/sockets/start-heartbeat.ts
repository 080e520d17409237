import type { WebSocket } from 'ws';

/** Pings a peer and terminates its connection when it has not responded by the time the next ping is due. */
export function startHeartbeat(webSocket: WebSocket, intervalMs: number): void {
  let hasResponded = true;
  const timer = setInterval(() => {
    if (!hasResponded) return webSocket.terminate();
    hasResponded = false;
    webSocket.ping();
  }, intervalMs);
  timer.unref();
  webSocket.on('pong', () => (hasResponded = true));
  webSocket.once('close', () => clearInterval(timer));
}
