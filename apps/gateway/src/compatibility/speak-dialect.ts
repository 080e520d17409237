import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../gateway-config.js';
import { DialectReader } from './dialect-reader.js';
import { toDialect } from './dialect.js';

/** Reads and answers the requests of these clients in the dialect of public gas stations. */
export function speakDialect(
  server: FastifyInstance,
  { maxGasBudget, compatibleCoinVersions: coinVersions }: GatewayConfig,
  isInDialect: (request: FastifyRequest) => boolean,
): void {
  const reader = new DialectReader(maxGasBudget);
  server.addHook('preValidation', async (request) => {
    if (isInDialect(request)) reader.read(request);
  });
  server.addHook('onSend', async (request, reply, payload) => {
    if (!isInDialect(request) || typeof payload !== 'string') return payload;
    const path = request.routeOptions.url ?? '';
    const type = String(reply.getHeader('content-type') ?? '');
    if (!type.startsWith('application/json')) return payload;
    const form = { hasOptions: hasOptions(request.body), coinVersions };
    const answer = toDialect(path, payload, form);
    if (answer === null) return payload;
    void reply.header('content-type', answer.contentType).removeHeader('content-length');
    return answer.body;
  });
}

function hasOptions(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'options' in body && body.options !== null;
}
