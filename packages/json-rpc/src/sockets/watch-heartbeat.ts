import type { WebSocket } from 'ws';

/** Ends a connection whose other end has silently gone: it is pinged, and must have answered when the next ping is due. */
export function watchHeartbeat(webSocket: WebSocket, intervalMs: number): void {
  let answered = true;
  const timer = setInterval(() => {
    if (!answered) return webSocket.terminate();
    answered = false;
    webSocket.ping();
  }, intervalMs);
  timer.unref();
  webSocket.on('pong', () => (answered = true));
  webSocket.once('close', () => clearInterval(timer));
}
