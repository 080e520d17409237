import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { NO_MESSAGE_HANDLER } from '@nestjs/microservices/constants.js';
import {
  checkDto,
  type ErrorCode,
  type ErrorMessage,
  errorTable,
  ForecourtError,
  MESSAGE_VERSION,
  type MessageHeader,
} from '@forecourt/contracts';
import { RestAfterFailure } from '@forecourt/resilience';
import { within } from '@forecourt/runtime/async';
import type { Endpoint } from '@forecourt/runtime/config';
import { logFields } from '@forecourt/runtime/service';
import { inSpan, traceParent } from '@forecourt/runtime/tracing';
import {
  createMessageClient,
  type MessageClient,
  type MessagePattern,
} from '@forecourt/runtime/transport';
import { firstValueFrom, timeout } from 'rxjs';
import { RoundRobin } from './round-robin.js';

/** Whether a message may be delivered twice. */
export type Delivery = 'once' | 'repeatable';

const undone = new WeakSet<Error>();

/** Whether no replica has carried out, or will carry out, the message that was answered with this error. */
export function isUndone(error: unknown): boolean {
  return error instanceof Error && undone.has(error);
}

interface Replica {
  readonly client: MessageClient;
  /** For the log. */
  readonly address: string;
  readonly rest: RestAfterFailure;
}

/** The replicas of a service. */
interface ReplicaAddresses {
  readonly endpoints: readonly Endpoint[];
  readonly fleetSecrets: readonly string[];
  /** The service in this process, which takes the place of the endpoints. */
  readonly local: MessageClient | undefined;
}

/** How the messages to one kind of service are delivered. */
export interface DeliveryRules {
  /** Names the service in traces. */
  readonly span: string;
  /** Names the service in messages. */
  readonly service: string;
  readonly timeoutMs: number;
  /** The error when no replica answers. */
  readonly unreachable: ErrorCode;
  /** The errors of a replica that does not serve now. It rests. */
  readonly resting: ReadonlySet<ErrorCode>;
  /** The errors with which a replica has done nothing, while another one may serve. */
  readonly othersMayServe: ReadonlySet<ErrorCode>;
  /** The error of a replica that is too old for the message. */
  readonly outdated: (cmd: string, address: string, why: string) => ForecourtError;
}

/** Pause of a replica that does not serve. The gateway uses it earlier only if no other replica is left. */
const REST = { firstMs: 1_000 };

/**
 * Sends messages to a service's replicas in turn. A replica that cannot be connected to, that reports that it
 * does not serve, or that is too old for the message is skipped. A message whose delivery is uncertain goes
 * to the next replica only if it is repeatable.
 */
export abstract class ServiceClient implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #isLocal: boolean;
  readonly #replicas: readonly Replica[];
  readonly #turns: RoundRobin<Replica>;

  constructor(
    private readonly rules: DeliveryRules,
    { endpoints, fleetSecrets, local }: ReplicaAddresses,
  ) {
    this.#isLocal = local !== undefined;
    this.#replicas = local
      ? [
          {
            client: this.inProcess(local),
            address: 'this process',
            rest: new RestAfterFailure(REST),
          },
        ]
      : endpoints.map(({ host, port }) => ({
          client: this.overNetwork({ host, port, fleetSecrets }),
          address: `${host}:${port}`,
          rest: new RestAfterFailure(REST),
        }));
    this.#turns = new RoundRobin(this.#replicas);
  }

  /**
   * Connects before the first request, which would wait for it. Replicas that do not answer are connected to
   * later.
   */
  async onApplicationBootstrap(): Promise<void> {
    await Promise.allSettled(this.#replicas.map(({ client }) => client.connect()));
  }

  onApplicationShutdown(): void {
    for (const { client } of this.#replicas) client.close();
  }

  /**
   * Sends a message with its header, and returns the reply as its DTO; null: the reply is empty. Throws the
   * replica's error, and the error of the rules when no replica answers.
   */
  protected send<Reply extends object>(
    pattern: MessagePattern,
    message: object,
    reply: (new () => Reply) | null,
    delivery: Delivery = 'repeatable',
  ): Promise<Reply> {
    const deliver = () => this.deliver(pattern, message, reply, delivery);
    return inSpan(`${this.rules.span} ${pattern.cmd}`, {}, deliver, 'CLIENT');
  }

  private async deliver<Reply extends object>(
    pattern: MessagePattern,
    message: object,
    reply: (new () => Reply) | null,
    delivery: Delivery,
  ): Promise<Reply> {
    const { resting, othersMayServe, unreachable } = this.rules;
    const sent = { ...message, ...headerOfMessage() };
    let cause: unknown;
    let mayBeDone = false;
    for (const replica of this.inTurn()) {
      const { client, address } = replica;
      try {
        await client.connect();
      } catch (error) {
        cause = error;
        continue;
      }
      try {
        return this.readReply(reply, await client.request(pattern, sent));
      } catch (error) {
        cause = this.readError(error, pattern, address);
        const code = cause instanceof ForecourtError ? cause.code : null;
        if (code !== null && resting.has(code)) replica.rest.fail();
        if (code !== null && othersMayServe.has(code)) continue;
        mayBeDone ||= code === null || errorTable[code].status >= 500;
        if (code !== null || delivery === 'once') break;
      }
    }
    const error =
      cause instanceof ForecourtError ? cause : new ForecourtError(unreachable, '', { cause });
    if (!mayBeDone) undone.add(error);
    throw error;
  }

  /** The service goes on when its client closes. */
  private inProcess(server: MessageClient): MessageClient {
    const { timeoutMs } = this.rules;
    return {
      connect: () => server.connect(),
      request: (pattern, message) =>
        within(server.request(pattern, message), timeoutMs, 'The answer'),
      close: () => undefined,
    };
  }

  private overNetwork(server: Parameters<typeof createMessageClient>[0]): MessageClient {
    const { timeoutMs, service } = this.rules;
    const client = createMessageClient(server);
    return {
      connect: () => within(client.connect(), timeoutMs, `Connecting to ${service}`),
      request: (pattern, message) =>
        firstValueFrom(client.send<unknown>(pattern, message).pipe(timeout(timeoutMs))),
      close: () => void client.close(),
    };
  }

  /** Every replica once, beginning with the one whose turn it is; those that rest come last. */
  private inTurn(): readonly Replica[] {
    if (this.#replicas.length === 1) return this.#replicas;
    const all = this.#turns.inTurn();
    const rests = ({ rest }: Replica) => rest.remainingMs > 0;
    return [...all.filter((one) => !rests(one)), ...all.filter(rests)];
  }

  /** Throws `Error` naming the fields that do not match the reply's DTO. */
  private readReply<Reply extends object>(
    reply: (new () => Reply) | null,
    answered: unknown,
  ): Reply {
    if (reply === null) return {} as Reply;
    // A service of this process has formed it as this class has it.
    if (this.#isLocal) return answered as Reply;
    const { instance, problems } = checkDto(reply, answered);
    if (problems.length === 0) return instance;
    throw new Error(`Invalid ${reply.name} from ${this.rules.service}: ${problems.join('; ')}`);
  }

  /**
   * The error that a replica answered with, as a `ForecourtError`. Any other error is returned unchanged: the
   * message may have arrived or not.
   */
  private readError(error: unknown, { cmd }: MessagePattern, address: string): unknown {
    const { outdated } = this.rules;
    if (error === NO_MESSAGE_HANDLER) return outdated(cmd, address, 'it does not know the message');
    if (!isErrorMessage(error)) return error;
    const { code, detail, retryAfterSecs } = error;
    if (code === 'COIN_POOL_OUTDATED') return outdated(cmd, address, detail);
    return new ForecourtError(code, detail, { retryAfterSecs });
  }
}

/** The header of a message that is sent for the current request. */
function headerOfMessage(): MessageHeader {
  const requestId = logFields()['requestId'];
  const traceparent = traceParent();
  return {
    version: MESSAGE_VERSION,
    ...(requestId !== undefined && { requestId: String(requestId) }),
    ...(traceparent !== undefined && { traceparent }),
  };
}

function isErrorMessage(error: unknown): error is ErrorMessage {
  return (
    typeof error === 'object' &&
    error !== null &&
    Object.hasOwn(errorTable, String((error as { code?: unknown }).code))
  );
}
