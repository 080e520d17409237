import { Inject, Injectable } from '@nestjs/common';
import { OPERATOR_ACTIONS_KEY, type RecordedAction } from '@forecourt/contracts';
import type { RedisConnection } from '@forecourt/runtime/redis';
import { type Logger, LOGGER, REDIS } from '@forecourt/runtime/service';
import { orStoreUnreachable } from '../redis-outage.js';

/** About how many actions are kept. */
const KEPT_ACTIONS = 1_000;
/** How many of them are listed. */
const LISTED_ACTIONS = 100;

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
    @Inject(LOGGER) private readonly logger: Logger,
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

  /** The last actions, newest first. Throws STORE_UNREACHABLE. */
  async list(): Promise<RecordedAction[]> {
    const entries = await orStoreUnreachable(
      this.redis.xrevrange(OPERATOR_ACTIONS_KEY, '+', '-', 'COUNT', LISTED_ACTIONS),
    );
    return entries.map(([id, fields]) => {
      const field = (name: keyof OperatorAction) => {
        // Names and values alternate.
        const position = fields.findIndex((text, index) => index % 2 === 0 && text === name);
        return position < 0 ? '' : (fields[position + 1] ?? '');
      };
      return {
        at: Number(id.split('-')[0]),
        operator: field('operator'),
        action: field('action'),
        scope: field('scope'),
        reason: field('reason'),
      };
    });
  }
}
