import { context, propagation, trace } from '@opentelemetry/api';
import { tracingState } from './tracing-state.js';

/** What takes longer is given up: a collector that is away must not hold up the end of a process. */
const SEND_MS = 3_000;

export interface TracingOptions {
  /** Base URL of the collector; spans go to `<endpoint>/v1/traces` as JSON. */
  readonly endpoint: string;
  readonly service: string;
  /** Share of the traces begun here that are kept, 0 to 1; for others the decision of their caller holds. */
  readonly sampleRatio: number;
}

/**
 * Sends this process's spans to a collector from now on; the SDK is loaded only here. Returns a function that sends the
 * last spans and stops. A collector that is away costs spans and nothing else.
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
