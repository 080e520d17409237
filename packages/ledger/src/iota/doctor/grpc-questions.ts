import { NodeFailure } from '../transport/node-failure.js';
import { NodeRefusal } from '../transport/node-refusal.js';
import { checkAnswer } from '../answers/check-answer.js';
import { GrpcTransport } from '../grpc/grpc-transport.js';
import { GrpcChannel } from '../grpc/grpc-channel.js';
import type { FullCheckpoint } from '../grpc/grpc-checkpoints.js';
import type { ShowOptions } from '../grpc/grpc-transactions.js';
import {
  type ExaminedNode,
  type Finding,
  fine,
  missing,
  notice,
  type Questioner,
  textOf,
} from './questions.js';

/** Of one call. */
const TIMEOUT_MS = 10_000;
const NO_METHOD = -32_601;
const UNKNOWN_FIELD = /invalid read_mask path: ([\w.]+)/;
const LIMITED = /^RESOURCE_EXHAUSTED/;

/**
 * Asks a node over gRPC through the adapter of the services: with their messages, read masks and signatures.
 */
export class GrpcQuestions implements Questioner {
  asked = 0;
  limited = 0;
  /** For calls that the services do not make. */
  readonly channel: GrpcChannel;
  readonly #transport: GrpcTransport;

  constructor(readonly node: ExaminedNode) {
    this.channel = new GrpcChannel(node);
    this.#transport = new GrpcTransport(node);
  }

  async ask<T>(
    method: string,
    params: readonly unknown[] = [],
    headers = this.node.headers,
  ): Promise<T> {
    this.asked += 1;
    const { url } = this.node;
    const isOther = headers !== this.node.headers;
    const transport = isOther ? new GrpcTransport({ url, headers }) : this.#transport;
    try {
      const call = { method, params };
      const answer = await transport.call(call, TIMEOUT_MS);
      checkAnswer(call, answer);
      return answer as T;
    } catch (error) {
      if (error instanceof NodeFailure && LIMITED.test(error.message)) this.limited += 1;
      throw error;
    } finally {
      if (isOther) transport.close();
    }
  }

  /** The checkpoints from this number on, as the events service reads them. */
  stream(first: number, options: ShowOptions): AsyncIterable<FullCheckpoint> {
    return this.#transport.streamCheckpoints(first, options, AbortSignal.timeout(TIMEOUT_MS));
  }

  /** For calls through `channel`. */
  readonly endsAt = (): number => performance.now() + TIMEOUT_MS;

  close(): void {
    this.channel.close();
    this.#transport.close();
  }
}

/** A use of the node, and its meaning for the services. */
export interface Use {
  readonly subject: string;
  /** The work that it makes possible. */
  readonly serves: string;
  /** The work that is impossible without it. */
  readonly lost: string;
  /** Whether sponsoring needs it. */
  readonly isEssential: boolean;
}

/** `call` describes the node's answer; its error is the finding's, with a remedy. */
export async function examineUse(use: Use, call: () => Promise<string>): Promise<Finding> {
  try {
    return fine(use.subject, await call(), use.serves);
  } catch (error) {
    return faulty(use, error);
  }
}

/** A use that the node does not serve. */
export function faulty({ subject, lost, isEssential }: Use, error: unknown): Finding {
  const [answer, remedy] = explain(error);
  return (isEssential ? missing : notice)(subject, answer, `${lost}. ${remedy}`);
}

function explain(error: unknown): [answer: string, remedy: string] {
  const text = textOf(error);
  const field = UNKNOWN_FIELD.exec(text)?.[1];
  if (field !== undefined) {
    return [
      `unknown field ${field}`,
      'The node is of a version that this release does not fit: upgrade the older of the two, or use another node',
    ];
  }
  if (error instanceof NodeRefusal && error.code === NO_METHOD) {
    return ['not served', 'Use a node that serves it, or the same node over JSON-RPC'];
  }
  if (error instanceof NodeFailure && error.isInvalid) {
    return [
      `the answer cannot be used: ${text}`,
      'The services do not believe it, since node and release do not fit: upgrade the older of the two, or use another node',
    ];
  }
  return [text, 'Compare with the node’s log, or use another node'];
}
