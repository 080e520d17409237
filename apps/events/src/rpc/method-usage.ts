import type { eventMethods } from '@forecourt/contracts';
import { JsonRpcCode } from '@forecourt/json-rpc';

/** A call and its result. */
interface MethodExample {
  readonly name: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly result: { readonly name: string; readonly value: unknown };
}

interface MethodUsage {
  readonly example: MethodExample;
  /** By the names of the codes. */
  readonly errors: readonly (keyof typeof meanings)[];
}

/** The meaning of an error code at these methods. */
const meanings = {
  invalidRequest: 'The method is available over WebSocket only.',
  invalidParams: 'A param is invalid; the message names it.',
  callFailed: 'No node of the ledger can answer, or the query needs too many calls to it.',
  tooManySubscriptions: 'The client has too many subscriptions.',
  tooManyRequests: 'The client has caused too many calls; the message says when to retry.',
  responseTooBig: 'The page is too big.',
} as const;

const PACKAGE = `0x${'0'.repeat(60)}dec0`;

/** The events that a subscription of the example gets come as notifications. */
const usages: Readonly<Record<keyof typeof eventMethods, MethodUsage>> = {
  getEvents: {
    example: {
      name: 'the newest checkpoint',
      params: {
        query: { EventType: 'Checkpoint' },
        cursor: null,
        limit: 1,
        ordering: 'Descending',
      },
      result: {
        name: 'page',
        value: {
          data: [
            {
              timestamp: 1_764_032_218_000,
              txDigest: 'AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=',
              id: { txSeq: 21, eventSeq: 1 },
              event: { checkpoint: 7 },
            },
          ],
          nextCursor: 20,
        },
      },
    },
    errors: ['invalidParams', 'callFailed', 'tooManyRequests', 'responseTooBig'],
  },
  subscribeEvent: {
    example: {
      name: 'events of one package and one sender',
      params: { filter: { And: [{ Package: PACKAGE }, { SenderAddress: '0xb0b' }] }, resume: null },
      result: { name: 'subscription', value: 1 },
    },
    errors: ['invalidRequest', 'invalidParams', 'callFailed', 'tooManySubscriptions'],
  },
  unsubscribeEvent: {
    example: {
      name: 'the end of a subscription',
      params: { subscription: 1 },
      result: { name: 'known', value: true },
    },
    errors: ['invalidRequest', 'invalidParams'],
  },
};

/** The examples and errors of a method, as OpenRPC has them. */
export function describeUsage(name: keyof typeof eventMethods): object {
  const { example, errors } = usages[name];
  const params = Object.entries(example.params).map(([param, value]) => ({ name: param, value }));
  return {
    examples: [{ ...example, params }],
    errors: errors.map((error) => ({ code: JsonRpcCode[error], message: meanings[error] })),
  };
}
