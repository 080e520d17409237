/** The WebSocket address on the same host, port and path as `url` (`http:` or `https:`). */
export function socketUrl(url: string): string {
  return url.replace(/^http/, 'ws');
}
