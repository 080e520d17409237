import { fastify } from 'fastify';

/**
 * The reference for the services: the framework alone, which parses the same body and responds with
 * JSON.
 */
const [, , port, answer] = process.argv;
const server = fastify();
const json = JSON.parse(answer!) as object;
server.get('/health/ready', async () => ({ status: 'ok' }));
server.post('/v1/reserve_gas', async () => json);
await server.listen({ host: '127.0.0.1', port: Number(port) });
