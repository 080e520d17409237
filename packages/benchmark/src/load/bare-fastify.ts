import { fastify } from 'fastify';

/** What the way through the services is compared with: the framework alone, which reads the same body and answers JSON. */
const [, , port, answer] = process.argv;
const server = fastify();
const json = JSON.parse(answer!) as object;
server.get('/health/ready', async () => ({ status: 'ok' }));
server.post('/v1/reserve_gas', async () => json);
await server.listen({ host: '127.0.0.1', port: Number(port) });
