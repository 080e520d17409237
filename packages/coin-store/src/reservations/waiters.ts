import { escapeText, readEscaped, type RequestType, type Waiter } from '@forecourt/contracts';

/** Stored form of a waiter: `gateway|type`. */
export function writeWaiter(waiter: Waiter): string {
  return escapeText(`${waiter.gateway}|${waiter.requestType}`);
}

/** Reads a list of waiters, comma-separated. */
export function readWaiters(text: string): Waiter[] {
  if (text === '') return [];
  return text.split(',').map((waiter) => {
    const [gateway = '', requestType] = readEscaped(waiter).split('|');
    return { gateway, requestType: requestType as RequestType };
  });
}
