import { normalizeIotaAddress } from '@iota/iota-sdk/utils';
import type { FastifyInstance } from 'fastify';
import {
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Injectable,
} from '@nestjs/common';
import { grantFrom, GrantCoins } from './grant-coins.js';
import { GrantStore } from './grant-store.js';
import { DevnetSettings } from '../devnet-settings.js';
import { Engine } from '../engine/engine.js';
import { FullNode } from '../engine/full-node.js';
import { createSideServer, listen } from '../http/side-server.js';

/** Both versions of the faucet's interface: coins in the response, or a task whose status is queried. */
function registerFaucetRoutes(server: FastifyInstance, grantCoins: GrantCoins): void {
  const store = new GrantStore();
  server.addHook('onRequest', async (_request, reply) => {
    reply.header('access-control-allow-origin', '*').header('access-control-allow-headers', '*');
  });
  server.setErrorHandler((error, _request, reply) => {
    const { message, statusCode = 500 } = error as Error & { statusCode?: number };
    return reply.code(statusCode).send({ error: message });
  });
  server.options('/*', (_request, reply) => reply.code(204).send());
  server.get('/', async () => 'OK');

  server.post('/gas', async (request, reply) => {
    const recipient = readRecipient(request.body);
    if (recipient === null) {
      return reply.code(400).send({ transferredGasObjects: [], error: INVALID_RECIPIENT });
    }
    const coins = await grantCoins(recipient);
    return reply.code(201).send({ transferredGasObjects: coins, error: null });
  });

  server.post('/v1/gas', async (request, reply) => {
    const recipient = readRecipient(request.body);
    if (recipient === null) return reply.code(400).send({ task: null, error: INVALID_RECIPIENT });
    const task = store.add(await grantCoins(recipient));
    return reply.code(202).send({ task, error: null });
  });

  server.get<{ Params: { id: string } }>('/v1/status/:id', async (request, reply) => {
    const sent = store.find(request.params.id);
    if (sent === null) {
      const error = `Task id ${request.params.id} not found`;
      return reply.code(404).send({ status: null, error });
    }
    return {
      status: { status: 'SUCCEEDED', transferred_gas_objects: { sent } },
      error: null,
    };
  });
}

const INVALID_RECIPIENT =
  'Invalid request: expected {"FixedAmountRequest":{"recipient":"0x<address>"}}';

function readRecipient(body: unknown): string | null {
  const request = (body as { FixedAmountRequest?: { recipient?: unknown } } | null | undefined)
    ?.FixedAmountRequest;
  const recipient = request?.recipient;
  const isAddress = typeof recipient === 'string' && /^(0x)?[0-9a-fA-F]{1,64}$/.test(recipient);
  return isAddress ? normalizeIotaAddress(recipient) : null;
}

/** Serves the faucet on a separate port, unless it is switched off. */
@Injectable()
export class FaucetServer implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #server = createSideServer();
  url: string | null = null;

  constructor(
    private readonly settings: DevnetSettings,
    private readonly engine: Engine,
    private readonly fullNode: FullNode,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { host, faucetPort, faucetAmount, faucetCoins } = this.settings.config;
    if (faucetPort === null) return;
    const { engine, fullNode } = this;
    registerFaucetRoutes(this.#server, grantFrom(engine, fullNode, faucetAmount, faucetCoins));
    this.url = await listen(this.#server, host, faucetPort);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#server.close();
  }
}
