import { setTimeout as sleep } from 'node:timers/promises';
import { type CallMethod, ConnectionDropped, JsonRpcCode, JsonRpcError } from '@forecourt/json-rpc';
import { TransactionNotFound } from '../node/present-error.js';
import type { FaultBoard } from './fault-board.js';
import { describeSubmission, fillPlaceholders, makeFalseAnswer, makeRefusal } from './refusals.js';
import { takeRateLimit, type RecentCalls, type RequestCounters } from './call-counts.js';

export interface FaultDependencies {
  readonly faults: FaultBoard;
  readonly counters: RequestCounters;
  readonly recentCalls: RecentCalls;
  /** Delay before every call. */
  readonly latencyMs: number;
}

/**
 * Wraps `run` in the active faults, in this order: rate limit, delay, refusal or transient error before the call;
 * the call; delay, transient error, false answer or a lost reply after it.
 */
export function withFaults(run: CallMethod, dependencies: FaultDependencies): CallMethod {
  const { faults, counters, recentCalls, latencyMs } = dependencies;
  const delay = async (method: string, when: 'before' | 'after') => {
    const latency = faults.take('latency', method, (fault) => fault.when === when);
    if (latency === null) return;
    await sleep(latency.minMs + Math.random() * (latency.maxMs - latency.minMs));
  };
  const takeError = (method: string, params: unknown, when: 'before' | 'after') => {
    const refusal = when === 'before' ? faults.take('refuse', method) : null;
    if (refusal !== null) return makeRefusal(refusal, params);
    const fault = faults.take('transient', method, (one) => one.when === when);
    if (fault === null) return null;
    return new JsonRpcError(JsonRpcCode.transient, fillPlaceholders(fault.message, params));
  };
  const countRefused = (params: unknown) => {
    const { digest } = describeSubmission(params);
    if (digest !== undefined) counters.countSubmission(digest);
  };

  return async (method, params, context) => {
    counters.countRequest(method);
    if (latencyMs > 0) await sleep(latencyMs);
    if (faults.isEmpty) return run(method, params, context);
    if (takeRateLimit(faults, recentCalls, method, 'error') !== null) {
      throw new JsonRpcError(JsonRpcCode.tooManyRequests, 'Too many requests');
    }
    await delay(method, 'before');
    const early = takeError(method, params, 'before');
    if (early !== null) {
      if (method === 'iota_executeTransactionBlock') countRefused(params);
      throw early;
    }
    const result = await run(method, params, context).catch((error: unknown) => {
      if (error instanceof TransactionNotFound) recentCalls.note('notFound');
      throw error;
    });
    await delay(method, 'after');
    const late = takeError(method, params, 'after');
    if (late !== null) throw late;
    const misreport = faults.take('misreport', method);
    if (misreport !== null) throw makeFalseAnswer(misreport.answer, params);
    if (faults.take('loseReply', method) !== null) throw new ConnectionDropped();
    return result;
  };
}
