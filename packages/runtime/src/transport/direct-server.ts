import {
  BaseRpcContext,
  type CustomTransportStrategy,
  type MessageHandler,
  Server,
} from '@nestjs/microservices';
import { NO_MESSAGE_HANDLER } from '@nestjs/microservices/constants.js';
import { isObservable, lastValueFrom, throwError } from 'rxjs';
import type { MessagePattern } from './message-client.js';
import { noteOwnMessage } from './read-message.js';

/** The handler of a message, and the context that it gets. */
interface Route {
  readonly handle: MessageHandler;
  readonly context: BaseRpcContext;
}

/**
 * The strategy of a Nest microservice whose clients are in the same process. A message is a call of its
 * handler: nothing is serialized or validated again, and both ends see the same objects.
 */
export class DirectServer extends Server implements CustomTransportStrategy {
  readonly #routes = new Map<string, Route>();
  #isListening = false;

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

  /** Throws `Error` unless the service listens. */
  async connect(): Promise<void> {
    if (!this.#isListening) throw new Error('The service does not listen');
  }

  /**
   * The handler's reply. Rejects with its error, and with `NO_MESSAGE_HANDLER`. As on a network, a client
   * that no longer waits does not stop the handler.
   */
  async request(pattern: MessagePattern, message: object): Promise<unknown> {
    const route = this.#routes.get(pattern.cmd) ?? this.findRoute(pattern);
    if (route === null) return lastValueFrom(throwError(() => NO_MESSAGE_HANDLER));
    noteOwnMessage(message);
    const reply: unknown = await route.handle(message, route.context);
    return isObservable(reply) ? lastValueFrom(reply) : reply;
  }

  private findRoute(pattern: MessagePattern): Route | null {
    const name = this.normalizePattern(pattern);
    const handle = this.getHandlerByPattern(name);
    if (handle === null) return null;
    const route = { handle, context: new BaseRpcContext([name]) };
    this.#routes.set(pattern.cmd, route);
    return route;
  }
}
