import { setTimeout as sleep } from 'node:timers/promises';
import { type CallMethod, ConnectionDropped, JsonRpcCode, JsonRpcError } from '@forecourt/json-rpc';
import type { FaultBoard } from './fault-board.js';
import { describeSubmission, fillPlaceholders } from './fill-placeholders.js';
import type { RequestCounters } from './request-counters.js';

/**
 * Wraps `run` in the active faults, in this order: delay, refusal or transient error before the call; the call; delay,
 * transient error or a lost reply after it.
 */
export function withFaults(
  run: CallMethod,
  faults: FaultBoard,
  counters: RequestCounters,
  latencyMs: number,
): CallMethod {
  const delay = async (method: string, when: 'before' | 'after') => {
    const latency = faults.take('latency', method, (fault) => fault.when === when);
    if (latency === null) return;
    await sleep(latency.minMs + Math.random() * (latency.maxMs - latency.minMs));
  };
  const takeError = (method: string, params: unknown, when: 'before' | 'after') => {
    const refusal = when === 'before' ? faults.take('refuse', method) : null;
    const fault = refusal ?? faults.take('transient', method, (one) => one.when === when);
    if (fault === null) return null;
    const code = fault.kind === 'refuse' ? fault.code : JsonRpcCode.transient;
    return new JsonRpcError(code, fillPlaceholders(fault.message, params));
  };
  const countRefused = (params: unknown) => {
    const { digest } = describeSubmission(params);
    if (digest !== undefined) counters.countSubmission(digest);
  };

  return async (method, params, context) => {
    counters.countRequest(method);
    if (latencyMs > 0) await sleep(latencyMs);
    if (faults.isEmpty) return run(method, params, context);
    await delay(method, 'before');
    const early = takeError(method, params, 'before');
    if (early !== null) {
      if (method === 'iota_executeTransactionBlock') countRefused(params);
      throw early;
    }
    const result = await run(method, params, context);
    await delay(method, 'after');
    const late = takeError(method, params, 'after');
    if (late !== null) throw late;
    if (faults.take('loseReply', method) !== null) throw new ConnectionDropped();
    return result;
  };
}
