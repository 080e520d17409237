import type { FastifyServer } from './serve-metrics.js';
import type { ServiceState } from './service-state.js';

/** The answers of a stopping service end their connections, so that its listener closes soon. */
export function endConnections(server: FastifyServer, state: ServiceState): void {
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (state.stopping) void reply.header('connection', 'close');
    done();
  });
}
