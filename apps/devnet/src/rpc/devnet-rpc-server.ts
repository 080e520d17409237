import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { registerRpcRoute, serveRpcSockets } from '@forecourt/json-rpc';
import { DevnetSettings } from '../devnet-settings.js';
import { Engine } from '../engine/engine.js';
import { FullNode } from '../engine/full-node.js';
import { EventFeed } from '../events/event-feed.js';
import { LegacySubscriptions } from '../events/legacy-subscriptions.js';
import { IotaSubscriptions } from '../events/iota-subscriptions.js';
import { FaultyCalls } from '../faults/faulty-calls.js';
import { runMethod } from '../methods/run-method.js';
import { NodeProfiles } from '../node/node-profiles.js';
import { withPresentedErrors } from '../node/present-error.js';
import { NodeOrder } from '../views/node-order.js';
import { standInFront } from './stand-in-front.js';

const CLOSE_GRACE_MS = 1_000;
/** Nodes decline batches. */
const MAX_BATCH = 0;
const SOCKET_LIMITS = {
  maxConnections: 10_000,
  pingIntervalMs: 30_000,
  maxPendingCalls: 64,
  maxBufferedBytes: 16 * 2 ** 20,
};

/** Serves the node's JSON-RPC at `/` over HTTP and WebSocket. */
@Injectable()
export class DevnetRpcServer implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost<FastifyAdapter>,
    private readonly settings: DevnetSettings,
    private readonly engine: Engine,
    private readonly fullNode: FullNode,
    private readonly events: EventFeed,
    private readonly profiles: NodeProfiles,
    private readonly faultyCalls: FaultyCalls,
  ) {}

  onModuleInit(): void {
    const { engine, fullNode, events, profiles, faultyCalls } = this;
    const { faults, counters, recentCalls } = faultyCalls;
    const { bodyLimitBytes } = this.settings.config;
    engine.changes.on('executed', ({ digest }) => counters.countExecution(digest));
    const dependencies = {
      engine,
      fullNode,
      faults,
      counters,
      events,
      legacySubscriptions: new LegacySubscriptions(events),
      iotaSubscriptions: new IotaSubscriptions(fullNode),
      nodeOrder: new NodeOrder(fullNode, faults),
      profiles,
    };
    const call = withPresentedErrors(
      (method, params, context) =>
        faultyCalls.run(
          method,
          params,
          () => runMethod(dependencies, method, params, context),
          'json-rpc',
        ),
      profiles,
    );
    const server = this.host.httpAdapter.getInstance();
    standInFront(server, { faults, counters, recentCalls, profiles });
    const options = { path: '/', maxBatch: MAX_BATCH };
    registerRpcRoute(server, call, { ...options, bodyLimitBytes });
    const sockets = serveRpcSockets(server.server, call, {
      ...options,
      ...SOCKET_LIMITS,
      maxMessageBytes: bodyLimitBytes,
    });
    server.addHook('preClose', () => sockets.close('node is shutting down', CLOSE_GRACE_MS));
  }
}
