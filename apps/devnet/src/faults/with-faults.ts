import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultBoard } from './fault-board.js';
import { fillPlaceholders } from './fill-placeholders.js';
import type { RequestCounters } from './request-counters.js';
import { ConnectionDropped, type CallMethod } from '../json-rpc/answer-json-rpc.js';
import { JsonRpcCode, JsonRpcError } from '../json-rpc/json-rpc-error.js';

/**
 * Wraps `run` in what the fault board says, in this order: delay, refusal or transient error before the
 * call; then the call; then delay, transient error or a lost reply after it.
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
  const failTransiently = (method: string, params: unknown, when: 'before' | 'after') => {
    const fault = faults.take('transient', method, (one) => one.when === when);
    if (fault === null) return;
    throw new JsonRpcError(JsonRpcCode.transient, fillPlaceholders(fault.message, params));
  };

  return async (method, params) => {
    counters.countRequest(method);
    if (latencyMs > 0) await sleep(latencyMs);
    if (faults.isEmpty) return run(method, params);
    await delay(method, 'before');
    const refusal = faults.take('refuse', method);
    if (refusal) throw new JsonRpcError(refusal.code, fillPlaceholders(refusal.message, params));
    failTransiently(method, params, 'before');
    const result = await run(method, params);
    await delay(method, 'after');
    failTransiently(method, params, 'after');
    if (faults.take('loseReply', method) !== null) throw new ConnectionDropped();
    return result;
  };
}
