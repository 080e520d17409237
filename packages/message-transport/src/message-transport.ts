import { type TcpClientOptions, Transport } from '@nestjs/microservices';
import { BatchingJsonSocket } from './batching-json-socket.js';

/** Nest's TCP transport as the gateway and the coin-pool speak it; the same options serve either end. */
export function messageTransport(host: string, port: number) {
  return {
    transport: Transport.TCP,
    options: { host, port, socketClass: BatchingJsonSocket },
  } as const satisfies TcpClientOptions;
}
