import type {
  ConnectionOptions,
  NodeTransport,
  TransportEvents,
} from '../nodes/node-connection.js';
import type { RpcCall } from '../nodes/post-call.js';
import { answerOverGrpc } from './answer-over-grpc.js';
import { GrpcChannel } from './grpc-channel.js';

/** Calls of JSON-RPC, carried out over gRPC. */
export class GrpcTransport implements NodeTransport {
  private readonly channel: GrpcChannel;

  constructor({ url, headers = {} }: ConnectionOptions, events: TransportEvents) {
    this.channel = new GrpcChannel({ url, headers, ...events });
  }

  call(call: RpcCall, timeoutMs: number): Promise<unknown> {
    return answerOverGrpc(this.channel, call, performance.now() + timeoutMs);
  }

  close(): void {
    this.channel.close();
  }
}
