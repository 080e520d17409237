import type { Server as NetServer } from 'node:net';
import { ConnectionPlaces, countPlaces } from '@forecourt/admission';
import {
  BaseRpcContext,
  ClientProxy,
  ClientTCP,
  type CustomTransportStrategy,
  type ReadPacket,
  Server,
  ServerTCP,
  type WritePacket,
} from '@nestjs/microservices';
import { NO_MESSAGE_HANDLER } from '@nestjs/microservices/constants.js';
import { defer, mergeMap, type Observable, throwError } from 'rxjs';
import {
  type ArgumentMetadata,
  type ArgumentsHost,
  Injectable,
  type PipeTransform,
  type RpcExceptionFilter,
} from '@nestjs/common';
import {
  type ErrorCode,
  type ErrorMessage,
  ForecourtError,
  type MessageHeader,
  readDto,
  requireKnownMessage,
} from '@forecourt/contracts';
import { LedgerUnreachable } from '@forecourt/ledger';
import { ledgerFailure } from '../ledger/ledger-failure.js';
import { BatchingJsonSocket, FleetClient, FleetServer } from './fleet-connections.js';
import { type Logger, withLogFields } from '../service/index.js';

/** One end of the messages between gateway and coin-pool. */
export interface MessageEndpoint {
  readonly host: string;
  readonly port: number;
  /** The first is used to connect, every one is accepted; with none, anybody may connect and nothing is encrypted. */
  readonly fleetSecrets: readonly string[];
}

/** The strategy of a Nest microservice that answers messages. */
export function createMessageServer({ host, port, fleetSecrets }: MessageEndpoint): ServerTCP {
  if (fleetSecrets.length > 0) return new FleetServer(host, port, fleetSecrets);
  const server = new ServerTCP({ host, port, socketClass: BatchingJsonSocket });
  const places = new ConnectionPlaces(countPlaces());
  server.unwrap<NetServer>().on('connection', (socket) => places.enter(socket));
  return server;
}

/** Sends messages to one server. */
export function createMessageClient({ host, port, fleetSecrets }: MessageEndpoint): ClientTCP {
  const [secret] = fleetSecrets;
  if (secret !== undefined) return new FleetClient(host, port, secret);
  return new ClientTCP({ host, port, socketClass: BatchingJsonSocket });
}

/**
 * The strategy of a Nest microservice whose clients are in the same process. A message is a call of its handler: nothing is
 * serialized, and both ends see the same objects.
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

/**
 * Reads every message as the DTO that its handler names. Throws COIN_POOL_OUTDATED for one of a newer version,
 * INVALID_REQUEST naming each invalid field.
 */
@Injectable()
export class ReadMessage implements PipeTransform {
  transform(message: unknown, { metatype }: ArgumentMetadata): unknown {
    requireKnownMessage(message);
    return metatype ? readDto(metatype, message) : message;
  }
}

/** The fields of a message that its log lines carry. */
interface Subject extends MessageHeader {
  readonly reservationId?: number;
  readonly digest?: string;
}

/** Turns every error into the form that gateways receive. Causes are logged here and not sent. */
export abstract class ErrorMessageFilter implements RpcExceptionFilter {
  /** `other`: of any error outside of the table. */
  constructor(
    private readonly logger: Logger,
    private readonly other: ErrorCode,
  ) {}

  catch(error: unknown, host: ArgumentsHost): Observable<never> {
    const { requestId, reservationId, digest } = host.switchToRpc().getData<Subject | null>() ?? {};
    const { code, detail, retryAfterSecs } = withLogFields(
      { requestId, reservationId, digest },
      () => this.toForecourtError(error),
    );
    const message: ErrorMessage = { code, detail, retryAfterSecs };
    return throwError(() => message);
  }

  private toForecourtError(error: unknown): ForecourtError {
    if (error instanceof ForecourtError) return error;
    if (error instanceof LedgerUnreachable) {
      return ledgerFailure(error);
    }
    // An outage of what the service needs, or a bug; either way it cannot answer now.
    this.logger.error(
      { error: error instanceof Error ? error.stack : error },
      'Message handling failed',
    );
    return new ForecourtError(this.other, '', { cause: error });
  }
}
