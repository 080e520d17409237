import { type Attributes, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { tracingState } from './tracing-state.js';

/**
 * Runs a function as a span of the current trace, and rethrows its errors. Without tracing it only calls the
 * function.
 */
export function inSpan<T>(
  name: string,
  attributes: Attributes,
  run: () => Promise<T>,
  kind: keyof typeof SpanKind = 'INTERNAL',
): Promise<T> {
  if (!tracingState.isOn) return run();
  const tracer = trace.getTracer('forecourt');
  return tracer.startActiveSpan(name, { attributes, kind: SpanKind[kind] }, async (span) => {
    try {
      return await run();
    } catch (error) {
      const { message } = error as Error;
      span.setStatus({ code: SpanStatusCode.ERROR, message });
      throw error;
    } finally {
      span.end();
    }
  });
}
