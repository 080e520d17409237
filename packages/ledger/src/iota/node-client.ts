import {
  IotaClient,
  IotaHTTPTransport,
  IotaHTTPTransportError,
  JsonRpcError,
  type RequestInspector,
} from '@iota/iota-sdk/client';
import { LedgerUnreachable } from '../ledger-errors.js';
import { postInTime } from './post-in-time.js';

/** One call to a node. `refused`: it answered with an error. */
export interface NodeCall {
  readonly method: string;
  readonly outcome: 'answered' | 'refused' | 'unreachable';
  readonly seconds: number;
}

/** The SDK's client with a time limit on every call; `onCall` hears of each when it has ended. */
export function createNodeClient(
  url: string,
  timeoutMs: number,
  onCall: (call: NodeCall) => void = () => undefined,
): IotaClient {
  const inspector: RequestInspector = async ({ method }, ask) => {
    const startedAt = performance.now();
    const tell = (outcome: NodeCall['outcome']) =>
      onCall({ method, outcome, seconds: (performance.now() - startedAt) / 1_000 });
    try {
      const result = await ask();
      tell('answered');
      return result;
    } catch (error) {
      tell(error instanceof JsonRpcError ? 'refused' : 'unreachable');
      throw error;
    }
  };
  return new IotaClient({
    transport: new IotaHTTPTransport({ url, fetch: postInTime(timeoutMs), inspector }),
  });
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
