import { context, propagation, trace } from '@opentelemetry/api';
import { tracingState } from './tracing.js';

/** Time limit of an export: an unreachable collector must not delay the end of a process. */
const SEND_MS = 3_000;

export interface TracingOptions {
  /** Base URL of the collector; spans go to `<endpoint>/v1/traces` as JSON. */
  readonly endpoint: string;
  readonly service: string;
  /** Share of sampled traces among those begun here, 0 to 1; for others the caller's decision applies. */
  readonly sampleRatio: number;
}

/**
 * Sends this process's spans to a collector; the SDK is loaded only here. Returns a function that sends the
 * last spans and stops. An unreachable collector only loses spans.
 */
export async function startTracing(options: TracingOptions): Promise<() => Promise<void>> {
  const [sdk, { OTLPTraceExporter }, hooks, core, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
    import('@opentelemetry/resources'),
  ]);
  const url = `${options.endpoint.replace(/\/+$/, '')}/v1/traces`;
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.service,
      'service.namespace': 'forecourt',
    }),
    sampler: new sdk.ParentBasedSampler({
      root: new sdk.TraceIdRatioBasedSampler(options.sampleRatio),
    }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url, timeoutMillis: SEND_MS }),
        scheduledDelayMillis: 1_000,
        exportTimeoutMillis: SEND_MS,
      }),
    ],
  });
  context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  tracingState.isOn = true;
  return () => provider.shutdown().catch(() => undefined);
}
