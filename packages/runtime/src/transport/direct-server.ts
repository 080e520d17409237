import {
  BaseRpcContext,
  ClientProxy,
  type CustomTransportStrategy,
  type ReadPacket,
  Server,
  type WritePacket,
} from '@nestjs/microservices';
import { NO_MESSAGE_HANDLER } from '@nestjs/microservices/constants.js';
import { defer, mergeMap } from 'rxjs';
import { noteOwnMessage } from './read-message.js';

/**
 * The strategy of a Nest microservice whose clients are in the same process. A message is a call of its
 * handler: nothing is serialized or validated again, and both ends see the same objects.
 */
export class DirectServer extends Server implements CustomTransportStrategy {
  readonly client: ClientProxy = new DirectClient(this);
  #isListening = false;

  get isListening(): boolean {
    return this.#isListening;
  }

  override listen(callback: () => void): void {
    this.#isListening = true;
    callback();
  }

  override close(): void {
    this.#isListening = false;
  }

  override on(): void {}

  override unwrap<T>(): T {
    return this as unknown as T;
  }
}

class DirectClient extends ClientProxy {
  constructor(private readonly server: DirectServer) {
    super();
  }

  override async connect(): Promise<void> {
    if (!this.server.isListening) throw new Error('The service does not listen');
  }

  override close(): void {}

  override unwrap<T>(): T {
    return this as unknown as T;
  }

  protected override publish(
    { pattern, data }: ReadPacket,
    answer: (packet: WritePacket) => void,
  ): () => void {
    const route = this.normalizePattern(pattern as string);
    noteOwnMessage(data);
    const handle = this.server.getHandlerByPattern(route);
    if (handle === null) {
      answer({ err: NO_MESSAGE_HANDLER, isDisposed: true });
    } else {
      defer(async () => (await handle(data, new BaseRpcContext([route]))) as unknown)
        .pipe(mergeMap((reply) => this.server.transformToObservable<unknown>(reply)))
        .subscribe({
          next: (response) => answer({ response }),
          error: (err: unknown) => answer({ err, isDisposed: true }),
          complete: () => answer({ isDisposed: true }),
        });
    }
    // As on a network, a client that no longer waits does not stop the handler.
    return () => undefined;
  }

  protected override dispatchEvent(): Promise<never> {
    return Promise.reject(new Error('Events are not supported'));
  }
}
