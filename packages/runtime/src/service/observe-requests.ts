import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Metrics } from '../metrics/index.js';

/** The Fastify under a Nest application. */
export type FastifyServer = ReturnType<
  ReturnType<NestFastifyApplication['getHttpAdapter']>['getInstance']
>;

/** Counts and times requests by route, which is the pattern and not the requested path. */
export function measureHttp(server: FastifyServer, metrics: Metrics): void {
  const requests = metrics.counter<{ method: string; route: string; status: string }>({
    name: 'http_requests_total',
    help: 'Requests answered, by route and status.',
    labels: ['method', 'route', 'status'],
  });
  const duration = metrics.histogram<{ method: string; route: string }>({
    name: 'http_request_duration_seconds',
    help: 'How long requests took until their answer was sent.',
    labels: ['method', 'route'],
  });
  server.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const route = request.routeOptions.url ?? 'none';
    requests.add({ method, route, status: String(reply.statusCode) });
    // A stream lasts as long as its client listens.
    const isStream = String(reply.getHeader('content-type')).startsWith('text/event-stream');
    if (!isStream) duration.observe({ method, route }, reply.elapsedTime / 1_000);
    done();
  });
}

const UNTRACED = /^\/(?:health\/|metrics$)/;

/** Makes each request a span of its caller's trace (`traceparent`), or the beginning of a new trace. */
export function traceRequests(server: FastifyServer): void {
  const spans = new WeakMap<object, { readonly span: Span; readonly within: Context }>();
  server.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url;
    if (route === undefined || UNTRACED.test(route)) return done();
    const parent = propagation.extract(context.active(), request.headers);
    const attributes = { 'http.request.method': request.method, 'http.route': route };
    const span = trace
      .getTracer('forecourt')
      .startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes }, parent);
    const within = trace.setSpan(parent, span);
    spans.set(request, { span, within });
    context.with(within, done);
  });
  // Restores the context, which was lost while the body was read.
  server.addHook('preValidation', (request, _reply, done) => {
    const traced = spans.get(request);
    if (traced) context.with(traced.within, done);
    else done();
  });
  server.addHook('onResponse', async (request, { statusCode }) => {
    const span = spans.get(request)?.span;
    if (!span) return;
    span.setAttribute('http.response.status_code', statusCode);
    if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
}
