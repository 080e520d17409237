import type { CallMethod } from '@forecourt/json-rpc';
import { type Metrics, startStopwatch } from '@forecourt/runtime/metrics';

/** Counts and times calls by method; all methods that are not served count as `unknown`. */
export function measureCalls(
  metrics: Metrics,
  methods: readonly string[],
  call: CallMethod,
): CallMethod {
  const served = new Set(methods);
  const calls = metrics.counter<{ method: string; outcome: 'answered' | 'failed' }>({
    name: 'rpc_calls_total',
    labels: ['method', 'outcome'],
    help: 'JSON-RPC calls by method: answered, or failed with any error.',
    known: methods.map((method) => ({ method, outcome: 'answered' })),
  });
  const duration = metrics.histogram<{ method: string }>({
    name: 'rpc_call_duration_seconds',
    labels: ['method'],
    help: 'Duration of JSON-RPC calls.',
  });
  return async (name, params, context) => {
    const method = served.has(name) ? name : 'unknown';
    const seconds = startStopwatch();
    try {
      const result = await call(name, params, context);
      calls.add({ method, outcome: 'answered' });
      return result;
    } catch (error) {
      calls.add({ method, outcome: 'failed' });
      throw error;
    } finally {
      duration.observe({ method }, seconds());
    }
  };
}
