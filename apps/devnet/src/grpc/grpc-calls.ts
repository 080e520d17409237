import {
  create,
  type DescMethod,
  type DescMethodUnary,
  type DescService,
  fromBinary,
  type Message,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { ConnectionDropped, HttpReply } from '@forecourt/json-rpc';
import { EndlessAnswer } from '../faults/endless-answer.js';
import { answerInstead, refuseHeaders } from '../rpc/stand-in-front.js';
import { chainHeaders } from './chain-headers.js';
import { GrpcCode } from './grpc-codes.js';
import { failure } from './grpc-status.js';
import type { IncomingCall } from './incoming-call.js';
import { statusOf } from './present-status.js';
import type { ServedNode } from './served-node.js';

type Answer<M extends DescMethod> = M extends DescMethodUnary
  ? MessageInitShape<M['output']>
  : AsyncIterable<MessageInitShape<M['output']>> | Iterable<MessageInitShape<M['output']>>;

/** A message's fields. */
type Fields = Record<string, unknown>;

/** The function behind a method. */
export interface Handler<M extends DescMethod = DescMethod> {
  /** The call's name for faults. */
  readonly name: (request: MessageShape<M['input']>) => string;
  /** A stream sends its headers with the first message: a call that is refused earlier gets none. */
  readonly answer: (
    request: MessageShape<M['input']>,
    cancelled: AbortSignal,
  ) => Promise<Answer<M>>;
}

/** The methods of a service that devnet serves. */
export type Handlers<S extends DescService> = {
  readonly [K in keyof S['method']]?: Handler<S['method'][K]>;
};

/** Answers the calls of callers, behind the answers of proxies and with the statuses of nodes. */
export class GrpcCalls {
  readonly #methods = new Map<string, { readonly method: DescMethod; readonly handler: Handler }>();

  constructor(
    private readonly node: ServedNode,
    /** Destroys the connection of a caller, `host:port`. */
    private readonly drop: (peer: string) => void,
  ) {}

  add<S extends DescService>(service: S, handlers: Handlers<S>): void {
    for (const method of service.methods) {
      const handler = (handlers as Readonly<Record<string, Handler>>)[method.localName];
      if (handler) this.#methods.set(`/${service.typeName}/${method.name}`, { method, handler });
    }
  }

  /** Never rejects. */
  async serve(call: IncomingCall): Promise<void> {
    try {
      await this.answer(call);
    } catch (error) {
      this.fail(call, error);
    }
  }

  private async answer(call: IncomingCall): Promise<void> {
    if (call.hasTooLargeHeaders) return call.endWithHttp(431);
    const known = this.#methods.get(call.path);
    if (!known) return call.end({ code: GrpcCode.unimplemented, message: '' });
    const { method, handler } = known;
    const request = decode(method, await call.readRequest());
    const instead = this.answerOfProxy(call.headers, handler.name(request));
    if (instead) return call.endWithHttp(instead.status, instead.headers, instead.body);
    if (method.methodKind === 'unary') return this.answerOnce(call, known, request);
    const answers = await handler.answer(request, call.cancelled);
    call.begin(chainHeaders(this.node));
    for await (const answer of answers as AsyncIterable<Fields>) {
      if (call.cancelled.aborted) return;
      await call.send(toBinary(method.output, create(method.output, answer)));
    }
    call.end({ code: GrpcCode.ok, message: '' });
  }

  private async answerOnce(
    call: IncomingCall,
    { method, handler }: { readonly method: DescMethod; readonly handler: Handler },
    request: Message,
  ): Promise<void> {
    const { deadlineMs } = call;
    const expire = () => call.end({ code: GrpcCode.cancelled, message: 'Timeout expired' });
    const timer = deadlineMs === null ? undefined : setTimeout(expire, deadlineMs);
    try {
      const answer = (await handler.answer(request, call.cancelled)) as unknown as Fields;
      call.begin(chainHeaders(this.node));
      await call.send(toBinary(method.output, create(method.output, answer)));
      call.end({ code: GrpcCode.ok, message: '' });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Null where no proxy in front of the node answers instead. */
  private answerOfProxy(headers: IncomingCall['headers'], name: string) {
    const { profiles, faultyCalls } = this.node;
    const refusal =
      refuseHeaders(headers, profiles.current.requiredHeaders) ?? answerInstead(faultyCalls, name);
    if (refusal !== null) faultyCalls.counters.countRequest(name);
    return refusal;
  }

  private async answerForEver(call: IncomingCall): Promise<void> {
    call.begin(chainHeaders(this.node));
    while (!call.cancelled.aborted) await call.send(PADDING);
  }

  private fail(call: IncomingCall, error: unknown): void {
    if (error instanceof HttpReply && typeof error.body === 'string') {
      return call.endWithHttp(error.status, { 'content-type': error.contentType }, error.body);
    }
    if (error instanceof EndlessAnswer) return void this.answerForEver(call);
    if (error instanceof ConnectionDropped) return this.drop(call.peer);
    call.end(statusOf(error, this.node.profiles.current));
  }
}

const PADDING_FIELD = 99;
/** A message that any type takes: it has one unknown field. */
const PADDING = new BinaryWriter()
  .tag(PADDING_FIELD, WireType.LengthDelimited)
  .bytes(new Uint8Array(64 * 1024))
  .finish();

/** Throws `GrpcFailure` for bytes that are not a request of the method. */
function decode({ input }: DescMethod, bytes: Uint8Array): Message {
  try {
    return fromBinary(input, bytes);
  } catch (error) {
    const { message } = error as Error;
    const text = message === 'premature EOF' ? describeEnd(bytes) : message;
    throw failure(GrpcCode.internal, `failed to decode Protobuf message: ${text}`);
  }
}

/** A node's words for bytes that end too early: within a number, or before the end of a field. */
function describeEnd(bytes: Uint8Array): string {
  return bytes.at(-1)! >= 0x80 ? 'invalid varint' : 'buffer underflow';
}
