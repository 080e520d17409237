import { Readable } from 'node:stream';
import { HttpReply } from '@forecourt/json-rpc';
import { Injectable } from '@nestjs/common';
import { FaultBoard } from './fault-board.js';
import { EndlessAnswer } from './endless-answer.js';

/** Forms of answers, of which a proxy mixes up only those of one. */
export type Dialect = 'grpc' | 'json-rpc';

/** BCS holds no larger number. */
const LARGEST = 2n ** 64n - 1n;

interface WithCosts {
  readonly effects?: { readonly gasUsed?: { readonly storageCost?: unknown } };
}

/** Replaces results of calls by those of others, or by false ones. */
@Injectable()
export class FalseResults {
  /** The last result of each method, by dialect, while answers are mixed up. */
  readonly #last = new Map<string, unknown>();

  constructor(private readonly faults: FaultBoard) {
    faults.onChange(() => {
      if (faults.peek('mixAnswers') === null) this.#last.clear();
    });
  }

  /**
   * The answer that the caller receives. Throws `EndlessAnswer`, and `HttpReply` with a body without an end.
   */
  replace<T>(method: string, dialect: Dialect, result: T): T {
    if (this.faults.take('endless', method) !== null) {
      if (dialect === 'grpc') throw new EndlessAnswer();
      throw new HttpReply(200, 'application/json', Readable.from(spaces()));
    }
    return this.mixUp(method, dialect, this.raiseCost(method, result));
  }

  private mixUp<T>(method: string, dialect: Dialect, result: T): T {
    const fault = this.faults.peek('mixAnswers');
    if (fault === null || (fault.method ?? method) !== method || isReadOnce(result)) return result;
    const key = `${dialect} ${method}`;
    const last = this.#last.get(key) as T | undefined;
    this.#last.set(key, result);
    return last !== undefined && this.faults.take('mixAnswers', method) ? last : result;
  }

  private raiseCost<T>(method: string, result: T): T {
    const { effects } = Object(result) as WithCosts;
    if (effects?.gasUsed === undefined) return result;
    const fault = this.faults.take('outOfRange', method);
    if (fault === null) return result;
    const isBinary = typeof effects.gasUsed.storageCost === 'bigint';
    const gasUsed = { ...effects.gasUsed, storageCost: isBinary ? LARGEST : fault.storageCost };
    return { ...result, effects: { ...effects, gasUsed } };
  }
}

function isReadOnce(result: unknown): boolean {
  return !Array.isArray(result) && Symbol.iterator in (Object(result) as object);
}

const CHUNK = ' '.repeat(64 * 1024);

function* spaces(): Generator<string> {
  for (;;) yield CHUNK;
}
