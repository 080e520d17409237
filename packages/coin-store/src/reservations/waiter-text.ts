import type { RequestType, Waiter } from '@forecourt/contracts';

/** How a waiter is written in the store: `gateway|type`. */
export function writeWaiter(waiter: Waiter): string {
  return `${waiter.gateway}|${waiter.requestType}`;
}

/** Reads a list of waiters, comma-separated. */
export function readWaiters(text: string): Waiter[] {
  if (text === '') return [];
  return text.split(',').map((waiter) => {
    const [gateway = '', requestType] = waiter.split('|');
    return { gateway, requestType: requestType as RequestType };
  });
}
