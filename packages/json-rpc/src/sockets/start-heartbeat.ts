import type { WebSocket } from 'ws';

/**
 * Pings a peer and calls `onSilent` when nothing has come from it by the time the next ping is due; default:
 * terminates it. Messages count as well as the response: behind many of them the response may not have been
 * read yet. A peer that reads its messages does not count as silent while this side has paused reading.
 */
export function startHeartbeat(
  webSocket: WebSocket,
  intervalMs: number,
  onSilent = () => webSocket.terminate(),
): void {
  let hasResponded = true;
  const timer = setInterval(() => {
    const isUnread = webSocket.isPaused && webSocket.bufferedAmount === 0;
    if (!hasResponded && !isUnread) return onSilent();
    hasResponded = false;
    webSocket.ping();
  }, intervalMs);
  timer.unref();
  const noteResponse = () => {
    hasResponded = true;
  };
  webSocket.on('pong', noteResponse);
  webSocket.on('message', noteResponse);
  webSocket.once('close', () => clearInterval(timer));
}
