import {
  type Attributes,
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** Whether this process creates spans; without tracing, a traced function has no overhead. */
export const tracingState = { isOn: false };

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

/**
 * The current span's context as W3C `traceparent`, which other processes continue; undefined without tracing.
 */
export function traceParent(): string | undefined {
  if (!tracingState.isOn) return undefined;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}
