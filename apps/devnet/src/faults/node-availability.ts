import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { GrpcListener } from '../http/grpc-listener.js';
import { FaultBoard } from './fault-board.js';

/** A server with its connections, and its address while it does not listen. */
interface Endpoint {
  readonly server: Server;
  readonly sockets: Set<Socket>;
  address: AddressInfo | null;
}

/**
 * Takes the servers of the node's dialects down and up again, on the same ports, as the `down` faults
 * require.
 */
@Injectable()
export class NodeAvailability implements OnModuleDestroy {
  readonly #endpoints: readonly Endpoint[];
  #stopped = false;
  #changing: Promise<void> = Promise.resolve();

  constructor(
    host: HttpAdapterHost,
    grpc: GrpcListener,
    private readonly faults: FaultBoard,
  ) {
    const servers = [host.httpAdapter.getHttpServer() as Server, grpc.server];
    this.#endpoints = servers.map((server) => {
      const sockets = new Set<Socket>();
      server.on('connection', (socket: Socket) => this.admit(socket, sockets));
      return { server, sockets, address: null };
    });
    faults.onChange(() => {
      this.#changing = this.#changing.then(() => this.apply());
    });
  }

  /** Resolves when the servers' state matches the faults. */
  settled(): Promise<void> {
    return this.#changing;
  }

  /** The servers must not start again during shutdown. */
  onModuleDestroy(): Promise<void> {
    this.#stopped = true;
    return this.#changing;
  }

  /** Destroys every connection, still accepts new ones, and returns how many were destroyed. */
  disconnectAll(): number {
    const sockets = this.#endpoints.flatMap((endpoint) => [...endpoint.sockets]);
    for (const socket of sockets) socket.destroy();
    return sockets.length;
  }

  private admit(socket: Socket, sockets: Set<Socket>): void {
    if (this.faults.peek('down') !== null) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  }

  private async apply(): Promise<void> {
    if (this.#stopped) return;
    const down = this.faults.peek('down');
    if (down !== null) this.disconnectAll();
    for (const endpoint of this.#endpoints) await open(endpoint, down?.mode !== 'refuse');
  }
}

/** Makes a server listen or not; one that has never listened stays as it is. */
async function open(endpoint: Endpoint, isOpen: boolean): Promise<void> {
  const { server, address } = endpoint;
  if (!isOpen && server.listening) {
    endpoint.address = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
  } else if (isOpen && !server.listening && address !== null) {
    server.listen(address.port, address.address);
    await once(server, 'listening');
  }
}
