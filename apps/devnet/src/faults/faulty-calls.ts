import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionDropped } from '@forecourt/json-rpc';
import { JsonRpcCode, JsonRpcError } from '@forecourt/contracts';
import { Injectable } from '@nestjs/common';
import { TransactionNotFound } from '../node/transaction-not-found.js';
import { RecentCalls, takeRateLimit } from './recent-calls.js';
import { RequestCounters } from './request-counters.js';
import { type Dialect, FalseResults } from './false-results.js';
import { FaultBoard } from './fault-board.js';
import { describeSubmission, fillPlaceholders, makeFalseAnswer, makeRefusal } from './refusals.js';

const EXECUTE = 'iota_executeTransactionBlock';

/** Runs the calls of both dialects with the faults that apply to them. */
@Injectable()
export class FaultyCalls {
  constructor(
    readonly faults: FaultBoard,
    readonly counters: RequestCounters,
    readonly recentCalls: RecentCalls,
    private readonly falseResults: FalseResults,
  ) {}

  /**
   * In this order: rate limit, delay, refusal or transient error before the call; the call; delay, transient
   * error, false answer, a lost reply or a false result after it. A call is named by its JSON-RPC method and
   * parameters, in either dialect.
   */
  async run<T>(
    method: string,
    params: unknown,
    call: () => Promise<T>,
    dialect: Dialect = 'grpc',
  ): Promise<T> {
    const { faults, counters, recentCalls } = this;
    counters.countRequest(method);
    if (faults.isEmpty) return call();
    if (takeRateLimit(faults, recentCalls, method, 'error') !== null) {
      throw new JsonRpcError(JsonRpcCode.tooManyRequests, 'Too many requests');
    }
    await this.delay(method, 'before');
    const early = this.takeError(method, params, 'before');
    if (early !== null) {
      if (method === EXECUTE) this.countRefused(params);
      throw early;
    }
    const result = await call().catch((error: unknown) => {
      if (error instanceof TransactionNotFound) recentCalls.note('notFound');
      throw error;
    });
    await this.delay(method, 'after');
    const late = this.takeError(method, params, 'after');
    if (late !== null) throw late;
    const misreport = faults.take('misreport', method);
    if (misreport !== null) throw makeFalseAnswer(misreport.answer, params);
    if (faults.take('loseReply', method) !== null) throw new ConnectionDropped();
    return this.falseResults.replace(method, dialect, result);
  }

  private async delay(method: string, when: 'before' | 'after'): Promise<void> {
    const latency = this.faults.take('latency', method, (fault) => fault.when === when);
    if (latency === null) return;
    await sleep(latency.minMs + Math.random() * (latency.maxMs - latency.minMs));
  }

  private takeError(method: string, params: unknown, when: 'before' | 'after'): Error | null {
    const refusal = when === 'before' ? this.faults.take('refuse', method) : null;
    if (refusal !== null) return makeRefusal(refusal, params);
    const fault = this.faults.take('transient', method, (one) => one.when === when);
    if (fault === null) return null;
    return new JsonRpcError(JsonRpcCode.transient, fillPlaceholders(fault.message, params));
  }

  private countRefused(params: unknown): void {
    const { digest } = describeSubmission(params);
    if (digest !== undefined) this.counters.countSubmission(digest);
  }
}
