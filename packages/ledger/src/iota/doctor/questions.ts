import { Agent } from 'undici';
import { checkAnswer } from '../answers/check-answer.js';
import { NodeFailure } from '../transport/node-failure.js';
import { postCall } from '../transport/post-call.js';

export interface ExaminedNode {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Asks one node over either dialect, in the methods of JSON-RPC. */
export interface Questioner {
  readonly node: ExaminedNode;
  readonly asked: number;
  /** Number of responses that reported a rate limit. */
  readonly limited: number;
  /** The node's answer; `headers`: instead of the node's. Rejects with `NodeRefusal` or `NodeFailure`. */
  ask<T>(
    method: string,
    params?: readonly unknown[],
    headers?: Readonly<Record<string, string>>,
  ): Promise<T>;
}

/** Longest wait for a node that limits calls. */
const LONGEST_LIMIT_MS = 5_000;

/** Sends read-only requests to one node over JSON-RPC and counts its failures and rate limits. */
export class Questions implements Questioner {
  asked = 0;
  limited = 0;
  readonly #dispatcher: Agent;

  constructor(
    readonly node: ExaminedNode,
    private readonly timeoutMs: number,
  ) {
    this.#dispatcher = new Agent({ connect: { timeout: timeoutMs } });
  }

  async ask<T>(
    method: string,
    params: readonly unknown[] = [],
    headers: Readonly<Record<string, string>> = this.node.headers,
  ): Promise<T> {
    const options = {
      url: this.node.url,
      headers,
      dispatcher: this.#dispatcher,
      timeoutMs: this.timeoutMs,
    };
    this.asked += 1;
    const post = async () => {
      const call = { method, params };
      const answer = await postCall(options, call, this.asked);
      // Without parameters, a call only asks whether the node has the method.
      if (params.length > 0) checkAnswer(call, answer);
      return answer as T;
    };
    try {
      return await post();
    } catch (error) {
      if (!(error instanceof NodeFailure) || error.retryAfterMs === undefined) throw error;
      this.limited += 1;
      const pauseMs = Math.min(error.retryAfterMs, LONGEST_LIMIT_MS);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      return await post();
    }
  }

  close(): Promise<void> {
    return this.#dispatcher.close();
  }
}

export const textOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** A fact about a node, and its meaning for this service. */
export interface Finding {
  readonly subject: string;
  readonly answer: string;
  readonly consequence: string;
  /**
   * `missing`: the service cannot use this node. `notice`: the service works, and the operator should know.
   */
  readonly verdict: 'fine' | 'notice' | 'missing';
}

export const fine = (subject: string, answer: string, consequence: string): Finding => ({
  subject,
  answer,
  consequence,
  verdict: 'fine',
});

export const notice = (subject: string, answer: string, consequence: string): Finding => ({
  subject,
  answer,
  consequence,
  verdict: 'notice',
});

export const missing = (subject: string, answer: string, consequence: string): Finding => ({
  subject,
  answer,
  consequence,
  verdict: 'missing',
});
