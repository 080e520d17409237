import type { ClientProxy } from '@nestjs/microservices';
import { NO_MESSAGE_HANDLER } from '@nestjs/microservices/constants.js';
import {
  checkDto,
  type CoinPoolPattern,
  type ErrorCode,
  type ErrorMessage,
  errorTable,
  ForecourtError,
} from '@forecourt/contracts';
import { within } from '@forecourt/runtime/async';
import { createMessageClient } from '@forecourt/runtime/transport';
import { firstValueFrom, timeout } from 'rxjs';
import type { GatewayConfig } from '../gateway-config.js';
import { RoundRobin } from '../round-robin.js';

export type CoinPoolSettings = Pick<
  GatewayConfig,
  'coinPools' | 'coinPoolTimeoutMs' | 'fleetSecrets'
>;

/** Whether a message may be delivered twice. */
export type Delivery = 'once' | 'repeatable';

interface Replica {
  readonly proxy: Pick<ClientProxy, 'connect' | 'send' | 'close'>;
  /** For the log. */
  readonly address: string;
  /** On the clock of `performance`. */
  restsUntil: number;
}

/** Pause of a replica that does not serve. The gateway uses it earlier only if no other replica is left. */
const REST_MS = 1_000;

/** An upgrade takes longer than most conditions that a caller waits for. */
const RETRY_AFTER_UPGRADE_SECS = 5;

/** With these errors a replica has done nothing. Another one may have received the key of a sponsor that is unknown here. */
const OTHERS_MAY_SERVE: ReadonlySet<ErrorCode> = new Set([
  'POOL_REFUSED',
  'COIN_POOL_OUTDATED',
  'INVALID_REQUEST',
]);

/**
 * Sends messages to the coin-pool's replicas in turn over Nest's TCP transport. A replica that cannot be connected to, that
 * reports that it does not serve, or that is too old for the message is skipped. A message whose delivery is uncertain goes to
 * the next replica only if it is repeatable.
 */
export class CoinPoolReplicas {
  readonly #replicas: readonly Replica[];
  readonly #turns: RoundRobin<Replica>;
  readonly #timeoutMs: number;

  constructor({ coinPools, coinPoolTimeoutMs, fleetSecrets }: CoinPoolSettings) {
    this.#timeoutMs = coinPoolTimeoutMs;
    this.#replicas = coinPools.map(({ host, port }) => ({
      proxy: createMessageClient({ host, port, fleetSecrets }),
      address: `${host}:${port}`,
      restsUntil: 0,
    }));
    this.#turns = new RoundRobin(this.#replicas);
  }

  /** Connects before the first request, which would wait for it. Coin-pools that do not answer are connected to later. */
  async connectAll(): Promise<void> {
    await Promise.allSettled(this.#replicas.map((replica) => this.connect(replica)));
  }

  close(): void {
    for (const { proxy } of this.#replicas) void proxy.close();
  }

  /**
   * Returns the reply as its DTO; null: the reply is empty. Throws the coin-pool's error; STORE_UNREACHABLE when no replica or no Redis answers,
   * POOL_REFUSED when no replica serves, and COIN_POOL_OUTDATED when those that do are too old.
   */
  async send<Reply extends object>(
    pattern: CoinPoolPattern,
    message: object,
    reply: (new () => Reply) | null,
    delivery: Delivery,
  ): Promise<Reply> {
    let cause: unknown;
    for (const replica of this.inTurn()) {
      const { proxy, address } = replica;
      try {
        await this.connect(replica);
      } catch (error) {
        cause = error;
        continue;
      }
      try {
        const answer = proxy.send<unknown>(pattern, message).pipe(timeout(this.#timeoutMs));
        return readReply(reply, await firstValueFrom(answer));
      } catch (error) {
        cause = readError(error, pattern, address);
        const code = cause instanceof ForecourtError ? cause.code : null;
        if (code === 'POOL_REFUSED') replica.restsUntil = performance.now() + REST_MS;
        if (code !== null && OTHERS_MAY_SERVE.has(code)) continue;
        if (code !== null || delivery === 'once') break;
      }
    }
    if (cause instanceof ForecourtError) throw cause;
    throw new ForecourtError('STORE_UNREACHABLE', '', { cause });
  }

  private connect({ proxy }: Replica): Promise<unknown> {
    return within(proxy.connect(), this.#timeoutMs, 'Connecting to a coin-pool');
  }

  /** Every replica once, beginning with the one whose turn it is; those that rest come last. */
  private inTurn(): readonly Replica[] {
    const all = this.#turns.inTurn();
    const now = performance.now();
    const rests = ({ restsUntil }: Replica) => restsUntil > now;
    return [...all.filter((one) => !rests(one)), ...all.filter(rests)];
  }
}

/** Throws `Error` naming the fields that do not match the reply's DTO. */
function readReply<Reply extends object>(
  reply: (new () => Reply) | null,
  answered: unknown,
): Reply {
  if (reply === null) return {} as Reply;
  const { instance, problems } = checkDto(reply, answered);
  if (problems.length === 0) return instance;
  throw new Error(`Invalid ${reply.name} from a coin-pool: ${problems.join('; ')}`);
}

/** The error that a coin-pool answered with, as a `ForecourtError`. Any other error is returned unchanged: the message may have arrived or not. */
function readError(error: unknown, { cmd }: CoinPoolPattern, address: string): unknown {
  if (error === NO_MESSAGE_HANDLER) return outdated(cmd, address, 'it does not know the message');
  if (!isErrorMessage(error)) return error;
  const { code, detail, retryAfterSecs } = error;
  if (code === 'COIN_POOL_OUTDATED') return outdated(cmd, address, detail);
  return new ForecourtError(code, detail, { retryAfterSecs });
}

function outdated(cmd: string, address: string, why: string): ForecourtError {
  const cause = new Error(
    `The coin-pool at ${address} is too old for the message ${cmd}: ${why}. ` +
      'Upgrade coin-pools before gateways, and roll gateways back before coin-pools.',
  );
  const retryAfterSecs = RETRY_AFTER_UPGRADE_SECS;
  return new ForecourtError('COIN_POOL_OUTDATED', '', { cause, retryAfterSecs });
}

function isErrorMessage(error: unknown): error is ErrorMessage {
  return (
    typeof error === 'object' &&
    error !== null &&
    Object.hasOwn(errorTable, String((error as { code?: unknown }).code))
  );
}
