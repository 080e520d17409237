import { Inject, Injectable } from '@nestjs/common';
import { OPERATOR_ACTIONS_KEY } from '@forecourt/contracts';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { orStoreUnreachable } from '../or-store-unreachable.js';

/** About how many actions are kept. */
const KEPT_ACTIONS = 1_000;

/** The record of an operator's action. */
export interface OperatorAction {
  /** Name of the operator's token. */
  readonly operator: string;
  readonly action: string;
  /** The thing that it changed. */
  readonly scope: string;
  readonly reason: string;
}

/** Records what operators do: in the log, and in a stream in Redis that all gateways share. */
@Injectable()
export class OperatorActions {
  constructor(
    @Inject(REDIS) private readonly redis: RedisConnection,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'info'>,
  ) {}

  /** Throws STORE_UNREACHABLE. */
  async record(action: OperatorAction): Promise<void> {
    this.logger.info({ ...action }, 'operator action');
    const { operator, scope, reason } = action;
    const fields = { operator, action: action.action, scope, reason };
    const entry = Object.entries(fields).flat();
    await orStoreUnreachable(
      this.redis.xadd(OPERATOR_ACTIONS_KEY, 'MAXLEN', '~', KEPT_ACTIONS, '*', ...entry),
    );
  }
}
