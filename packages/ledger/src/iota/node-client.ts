import {
  IotaClient,
  IotaHTTPTransport,
  IotaHTTPTransportError,
  JsonRpcError,
} from '@iota/iota-sdk/client';
import { LedgerUnreachable } from '../ledger-errors.js';

/** The SDK's client with a time limit on every call. */
export function createNodeClient(url: string, timeoutMs: number): IotaClient {
  const fetchInTime: typeof fetch = (input, init) =>
    fetch(input, { ...init, signal: AbortSignal.timeout(timeoutMs) });
  return new IotaClient({ transport: new IotaHTTPTransport({ url, fetch: fetchInTime }) });
}

/** Makes a read: what kept the node from answering becomes `LedgerUnreachable`; what it answered stays as it is. */
export async function read<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (cause) {
    if (cause instanceof JsonRpcError) throw cause;
    throw new LedgerUnreachable(`the ledger node did not answer: ${describeFailure(cause)}`, {
      cause,
    });
  }
}

/** What kept a call from being answered, in a few words. */
export function describeFailure(cause: unknown): string {
  if (cause instanceof IotaHTTPTransportError) return cause.message;
  if (!(cause instanceof Error)) return String(cause);
  const inner = cause.cause instanceof Error ? `: ${cause.cause.message}` : '';
  return `${cause.message}${inner}`;
}
