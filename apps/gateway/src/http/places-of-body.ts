import type { IncomingMessage } from 'node:http';

const PLACE_BYTES = 32 * 1024;

/**
 * How many places a request takes among those in progress. Bodies are kept in memory: each 32 KiB that the request
 * announces count like a request, and one that announces no length may send as much as the limit.
 */
export function placesOfBody(
  { headers }: Pick<IncomingMessage, 'headers'>,
  bodyLimitBytes: number,
): number {
  const isEndless = headers['transfer-encoding'] !== undefined;
  const announced = isEndless ? bodyLimitBytes : Number(headers['content-length'] ?? 0);
  return Math.max(1, Math.ceil(Math.min(announced, bodyLimitBytes) / PLACE_BYTES));
}
