import { Metrics } from '../metrics/index.js';
import type { FastifyServer } from './serve-metrics.js';

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
    duration.observe({ method, route }, reply.elapsedTime / 1_000);
    done();
  });
}
