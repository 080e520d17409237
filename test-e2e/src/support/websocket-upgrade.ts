/**
 * The request that opens a WebSocket at `/rpc`, for tests that write to the connection directly; `headers`:
 * further lines.
 */
export function websocketUpgrade(...headers: readonly string[]): string {
  return [
    'GET /rpc HTTP/1.1',
    'Host: x',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
    '',
    '',
  ].join('\r\n');
}
