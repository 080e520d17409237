import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { ClientProxy } from '@nestjs/microservices';
import {
  checkDto,
  type ClaimedReservation,
  ClaimedReservationFields,
  type ClaimReservationMessage,
  type CoinPoolPattern,
  coinPoolPatterns,
  type DrainSponsorMessage,
  type ExplainTransactionMessage,
  ExplainTransactionReply,
  type FindReservationMessage,
  type FindReservationReply,
  FindReservationReplyFields,
  type ErrorCode,
  ForecourtError,
  type InspectPoolsMessage,
  InspectPoolsReply,
  ListSponsorsReply,
  MESSAGE_VERSION,
  type MessageHeader,
  type ReadUsagesMessage,
  ReadUsagesReply,
  type ReleaseReservationMessage,
  ReservedGas,
  type ReserveGasMessage,
  type UndrainSponsorMessage,
  type WithdrawFundsMessage,
} from '@forecourt/contracts';
import { within } from '@forecourt/runtime/async';
import { createMessageClient } from '@forecourt/runtime/transport';
import { logFields } from '@forecourt/runtime/service';
import { inSpan } from '@forecourt/runtime/tracing';
import { firstValueFrom, timeout } from 'rxjs';
import type { GatewayConfig } from '../gateway-config.js';
import { GATEWAY_CONFIG } from '../gateway-config.module.js';
import { RoundRobin } from '../round-robin.js';
import { readCoinPoolError } from './read-coin-pool-error.js';

type CoinPoolSettings = Pick<GatewayConfig, 'coinPools' | 'coinPoolTimeoutMs' | 'fleetSecrets'>;

/** A replica that does not serve is not asked again for this long, unless no other is left. */
const REST_MS = 1_000;

interface Replica {
  readonly proxy: Pick<ClientProxy, 'connect' | 'send' | 'close'>;
  /** For the log. */
  readonly address: string;
  /** On the clock of `performance`. */
  restsUntil: number;
}

interface Delivery {
  /** Whether the message may be delivered twice; default: false. */
  readonly idempotent?: boolean;
  /** The DTO of the reply; absent: the reply is empty. */
  readonly reply?: new () => object;
}

/** With these errors a replica has done nothing. Another one may have been given the key of a sponsor that is unknown here. */
const OTHERS_MAY_SERVE: ReadonlySet<ErrorCode> = new Set([
  'POOL_REFUSED',
  'COIN_POOL_OUTDATED',
  'INVALID_REQUEST',
]);

/**
 * Talks to the coin-pool's replicas in turn over Nest's TCP transport. A replica that cannot be connected to, that says it
 * does not serve, or that is too old for the message is skipped. A message whose delivery is uncertain goes to the next
 * replica only if it is idempotent. Besides what is listed for it, every message throws STORE_UNREACHABLE when no replica
 * or no Redis answers, POOL_REFUSED when no replica serves, and COIN_POOL_OUTDATED when those that do are too old.
 */
@Injectable()
export class CoinPoolClient implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly replicas: readonly Replica[];
  private readonly turns: RoundRobin<Replica>;
  private readonly timeoutMs: number;

  constructor(
    @Inject(GATEWAY_CONFIG) { coinPools, coinPoolTimeoutMs, fleetSecrets }: CoinPoolSettings,
  ) {
    this.timeoutMs = coinPoolTimeoutMs;
    this.replicas = coinPools.map(({ host, port }) => ({
      proxy: createMessageClient({ host, port, fleetSecrets }),
      address: `${host}:${port}`,
      restsUntil: 0,
    }));
    this.turns = new RoundRobin(this.replicas);
  }

  /** Throws INVALID_REQUEST, NO_COINS, RESERVATION_LIMIT, SPONSOR_DRAINED. */
  reserveGas(message: ReserveGasMessage): Promise<ReservedGas> {
    return this.send(coinPoolPatterns.reserveGas, message, { reply: ReservedGas });
  }

  findReservation(message: FindReservationMessage): Promise<FindReservationReply> {
    const reply = FindReservationReplyFields;
    return this.send(coinPoolPatterns.findReservation, message, { reply, idempotent: true });
  }

  /** Throws RESERVATION_UNKNOWN, RESERVATION_EXPIRED, RESERVATION_USED, INPUT_IN_FLIGHT, QUARANTINE_LIMIT. */
  claimReservation(message: ClaimReservationMessage): Promise<ClaimedReservation> {
    const reply = ClaimedReservationFields;
    return this.send(coinPoolPatterns.claimReservation, message, { reply, idempotent: true });
  }

  /** Throws RESERVATION_UNKNOWN. */
  async releaseReservation(message: ReleaseReservationMessage): Promise<void> {
    await this.send(coinPoolPatterns.releaseReservation, message, {});
  }

  /** Throws INVALID_REQUEST, SPONSOR_DRAINED. */
  readUsages(message: ReadUsagesMessage): Promise<ReadUsagesReply> {
    const reply = ReadUsagesReply;
    return this.send(coinPoolPatterns.readUsages, message, { reply, idempotent: true });
  }

  inspectPools(message: InspectPoolsMessage): Promise<InspectPoolsReply> {
    const reply = InspectPoolsReply;
    return this.send(coinPoolPatterns.inspectPools, message, { reply, idempotent: true });
  }

  explainTransaction(message: ExplainTransactionMessage): Promise<ExplainTransactionReply> {
    const reply = ExplainTransactionReply;
    return this.send(coinPoolPatterns.explainTransaction, message, { reply, idempotent: true });
  }

  /** Throws NO_COINS, SPONSOR_DRAINED, LEDGER_UNREACHABLE. */
  async checkPool(): Promise<void> {
    await this.send(coinPoolPatterns.checkPool, {}, { idempotent: true });
  }

  /** Throws INVALID_REQUEST. */
  async drainSponsor(message: DrainSponsorMessage): Promise<void> {
    await this.send(coinPoolPatterns.drainSponsor, message, { idempotent: true });
  }

  /** Throws INVALID_REQUEST. */
  async undrainSponsor(message: UndrainSponsorMessage): Promise<void> {
    await this.send(coinPoolPatterns.undrainSponsor, message, { idempotent: true });
  }

  /** Throws INVALID_REQUEST, FORBIDDEN, SPONSOR_NOT_IDLE. */
  async withdrawFunds(message: WithdrawFundsMessage): Promise<void> {
    await this.send(coinPoolPatterns.withdrawFunds, message, { idempotent: true });
  }

  /** Throws what `withdrawFunds` would throw, and orders nothing. */
  async checkWithdrawal(message: WithdrawFundsMessage): Promise<void> {
    await this.send(coinPoolPatterns.checkWithdrawal, message, { idempotent: true });
  }

  listSponsors(): Promise<ListSponsorsReply> {
    const reply = ListSponsorsReply;
    return this.send(coinPoolPatterns.listSponsors, {}, { reply, idempotent: true });
  }

  /** Connects before the first request, which would wait for it. Coin-pools that do not answer are connected to later. */
  async onApplicationBootstrap(): Promise<void> {
    await Promise.allSettled(this.replicas.map((replica) => this.connect(replica)));
  }

  onApplicationShutdown(): void {
    for (const { proxy } of this.replicas) void proxy.close();
  }

  private connect({ proxy }: Replica): Promise<unknown> {
    return within(proxy.connect(), this.timeoutMs, 'Connecting to a coin-pool');
  }

  /** Every replica once, beginning with the one whose turn it is; those that rest come last. */
  private inTurn(): readonly Replica[] {
    const all = this.turns.inTurn();
    const now = performance.now();
    const rests = ({ restsUntil }: Replica) => restsUntil > now;
    return [...all.filter((one) => !rests(one)), ...all.filter(rests)];
  }

  private send<Reply>(
    pattern: CoinPoolPattern,
    message: object,
    delivery: Delivery,
  ): Promise<Reply> {
    const header: MessageHeader = {
      version: MESSAGE_VERSION,
      requestId: logFields()['requestId'],
    };
    const sent = { ...message, ...header };
    const ask = () => this.askInTurn<Reply>(pattern, sent, delivery);
    return inSpan(`coin-pool ${pattern.cmd}`, {}, ask, 'CLIENT');
  }

  private async askInTurn<Reply>(
    pattern: CoinPoolPattern,
    message: object,
    { idempotent = false, reply }: Delivery,
  ): Promise<Reply> {
    let cause: unknown;
    for (const replica of this.inTurn()) {
      const { proxy } = replica;
      try {
        await this.connect(replica);
      } catch (error) {
        cause = error;
        continue;
      }
      try {
        const answer = proxy.send<unknown>(pattern, message).pipe(timeout(this.timeoutMs));
        return readReply(reply, await firstValueFrom(answer)) as Reply;
      } catch (error) {
        cause = readCoinPoolError(error, pattern, replica.address);
        const code = cause instanceof ForecourtError ? cause.code : null;
        if (code === 'POOL_REFUSED') replica.restsUntil = performance.now() + REST_MS;
        if (code !== null && OTHERS_MAY_SERVE.has(code)) continue;
        if (code !== null || !idempotent) break;
      }
    }
    if (cause instanceof ForecourtError) throw cause;
    throw new ForecourtError('STORE_UNREACHABLE', '', { cause });
  }
}

/** Throws `Error` naming the fields that do not match the reply's DTO. */
function readReply(reply: Delivery['reply'], answered: unknown): object {
  if (!reply) return {};
  const { instance, problems } = checkDto(reply, answered);
  if (problems.length === 0) return instance;
  throw new Error(`Invalid ${reply.name} from a coin-pool: ${problems.join('; ')}`);
}
