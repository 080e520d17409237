import { create, type DescMessage, type Message, type MessageInitShape } from '@bufbuild/protobuf';
import { ConnectionDropped } from '@forecourt/json-rpc';
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Metadata,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceError,
} from '@grpc/grpc-js';
import { answerInstead, refuseHeaders } from '../rpc/stand-in-front.js';
import type { ServedNode } from './served-node.js';
import { failure, serviceError, statusOf, statusOfHttp } from './grpc-status.js';

type AnyCall = ServerUnaryCall<Message, Message> | ServerWritableStream<Message, Message>;

/** Turns functions into handlers of calls, behind the answers of proxies and with the errors of nodes. */
export class GrpcCalls {
  constructor(
    private readonly node: ServedNode,
    /** Destroys the connection of a caller. */
    private readonly drop: (peer: string) => void,
  ) {}

  /** `name` is the call's name for faults. */
  unary<R extends Message, O extends DescMessage>(
    name: string | ((request: R) => string),
    output: O,
    answer: (request: R) => Promise<MessageInitShape<O>>,
  ): handleUnaryCall<Message, Message> {
    return (call, callback) => {
      const run = async () => {
        this.requirePassage(call, typeof name === 'string' ? name : name(call.request as R));
        return answer(call.request as R);
      };
      run().then(
        (shown) => {
          // Together with the answer, as nodes do: alone they would be a packet more.
          call.sendMetadata(this.describeChain());
          callback(null, create(output, shown));
        },
        (error: unknown) => this.fail(call, error, (shown) => callback(shown)),
      );
    };
  }

  /** The answers of `answer` are written one by one, at the speed of the caller. */
  stream<R extends Message, O extends DescMessage>(
    name: string,
    output: O,
    answer: (request: R, cancelled: AbortSignal) => AsyncIterable<MessageInitShape<O>>,
  ): handleServerStreamingCall<Message, Message> {
    return (call) => {
      const cancelled = new AbortController();
      call.on('cancelled', () => cancelled.abort());
      const write = async () => {
        this.requirePassage(call, name);
        call.sendMetadata(this.describeChain());
        for await (const shown of answer(call.request as R, cancelled.signal)) {
          if (cancelled.signal.aborted) return;
          if (!call.write(create(output, shown))) await drained(call, cancelled.signal);
        }
        call.end();
      };
      write().catch((error: unknown) => {
        if (cancelled.signal.aborted) return;
        this.fail(call, error, (shown) => call.emit('error', shown));
      });
    };
  }

  /** Throws `GrpcFailure` where a proxy in front of the node answers instead. */
  private requirePassage(call: AnyCall, name: string): void {
    const { profiles, faultyCalls } = this.node;
    const headers = call.metadata.getMap() as Record<string, string>;
    const refusal =
      refuseHeaders(headers, profiles.current.requiredHeaders) ?? answerInstead(faultyCalls, name);
    if (refusal !== null) {
      faultyCalls.counters.countRequest(name);
      throw failure(statusOfHttp(refusal.status), refusal.body);
    }
  }

  private describeChain(): Metadata {
    const { engine, fullNode } = this.node;
    const metadata = new Metadata();
    metadata.set('x-iota-chain-id', engine.chainDigest);
    metadata.set('x-iota-epoch', String(fullNode.systemState().epoch));
    const { sequenceNumber, timestampMs } = fullNode.latestCheckpoint;
    metadata.set('x-iota-checkpoint-height', String(sequenceNumber));
    metadata.set('x-iota-timestamp-ms', String(timestampMs));
    metadata.set('x-iota-lowest-available-checkpoint', String(engine.oldestCheckpoint));
    return metadata;
  }

  private fail(call: AnyCall, error: unknown, send: (error: Partial<ServiceError>) => void): void {
    try {
      send(serviceError(statusOf(error, this.node.profiles.current)));
    } catch (thrown) {
      if (!(thrown instanceof ConnectionDropped)) throw thrown;
      this.drop(call.getPeer());
    }
  }
}

function drained(call: ServerWritableStream<Message, Message>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    call.once('drain', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
