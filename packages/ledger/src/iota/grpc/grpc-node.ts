import type { ShownPart } from '../client/node-client.js';
import type { RemoteNode, RemoteNodeEvents, RemoteNodeOptions } from '../client/remote-node.js';
import type { ClientCall } from '../client/routed-client.js';
import { NodeFailure } from '../transport/node-failure.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import { GrpcChannel } from './grpc-channel.js';
import { type FullCheckpoint, streamCheckpoints } from './grpc-checkpoints.js';
import { createGrpcClient } from './create-grpc-client.js';
import { type CalledNode, NodeLayouts } from './node-layouts.js';

/** A node over gRPC. */
export class GrpcNode implements RemoteNode {
  readonly isShared = true;
  readonly #channel: GrpcChannel;
  readonly #layouts: NodeLayouts;

  constructor(
    { url, headers = {} }: Pick<RemoteNodeOptions, 'url' | 'headers'>,
    events: Partial<RemoteNodeEvents> = {},
  ) {
    const onConnect = () => {
      this.#layouts.clear();
      events.onConnect?.();
    };
    this.#channel = new GrpcChannel({ url, headers, ...events, onConnect });
    this.#layouts = new NodeLayouts(this.#channel);
  }

  /** See `streamCheckpoints`. */
  streamCheckpoints(
    first: number,
    parts: readonly ShownPart[],
    signal: AbortSignal,
  ): AsyncGenerator<FullCheckpoint> {
    return streamCheckpoints(this.until(Infinity), first, parts, signal);
  }

  async run<T>({ method, ask, signal }: ClientCall<T>, timeoutMs: number): Promise<T> {
    const client = createGrpcClient(this.until(performance.now() + timeoutMs));
    try {
      return await unlessAborted(ask(client), signal);
    } catch (error) {
      if (error instanceof NodeFailure || error instanceof NodeRefusal) throw error;
      // A message that lacks a field, or bytes that cannot be decoded.
      const message = `${method}: malformed answer: ${(error as Error).message}`;
      throw new NodeFailure(message, { mayBeProcessed: true, isInvalid: true, cause: error });
    }
  }

  close(): void {
    this.#channel.close();
  }

  private until(endsAt: number): CalledNode {
    return { channel: this.#channel, layouts: this.#layouts, endsAt };
  }
}

/** Rejects with the signal's reason as soon as it aborts; the call itself ends at its deadline. */
async function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return answer;
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => {
    const message = `aborted: ${String(signal.reason)}`;
    reject(new NodeFailure(message, { mayBeProcessed: true, cause: signal.reason }));
  };
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
