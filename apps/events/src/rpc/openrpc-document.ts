import {
  attributeSchemas,
  criterionSchema,
  cursorSchema,
  DEFAULT_PAGE,
  idSchemas,
  JsonRpcCode,
  type JsonSchema,
  LARGEST_PAGE,
  namedTypes,
  objectOf,
  schemaNamed,
  sequence,
} from '@forecourt/contracts';

/** The meaning of an error code at these methods. */
const MEANINGS = {
  invalidRequest: 'The method is available over WebSocket only.',
  invalidParams: 'A param is invalid; the message names it.',
  callFailed: 'No node of the ledger can answer, or the query needs too many calls to it.',
  tooManySubscriptions: 'The client has too many subscriptions.',
  tooManyRequests: 'The client has caused too many calls; the message says when to retry.',
  responseTooBig: 'The page is too big.',
} as const;

const DEPRECATED = {
  deprecated: true,
  description:
    'Deprecated on the node interface, as the subscription to transactions is: the event query and the transaction block query methods replace it.',
};

const PACKAGE = `0x${'0'.repeat(60)}dec0`;

const METHODS = [
  {
    name: 'ledger_getEvents',
    summary: 'Past events that satisfy a criterion, page by page.',
    params: [
      param('query', '"All", or an object with exactly one criterion', 'EventCriterion'),
      optional(
        'cursor',
        'null, or the nextCursor of the previous page; the id of an event, which comes first, is accepted as well',
        {
          oneOf: [schemaNamed('Cursor'), schemaNamed('SeenEvent'), { type: 'null' }],
        },
      ),
      optional('limit', `1 to ${LARGEST_PAGE}; null or absent: ${DEFAULT_PAGE}`, {
        type: ['integer', 'null'],
        minimum: 1,
        maximum: LARGEST_PAGE,
      }),
      optional('ordering', 'false or "Ascending"; true or "Descending"', {
        enum: [false, true, null, 'Ascending', 'Descending'],
      }),
    ],
    result: { name: 'page', schema: schemaNamed('EventPage') },
    examples: [
      {
        name: 'the newest checkpoint',
        params: values({
          query: { EventType: 'Checkpoint' },
          cursor: null,
          limit: 1,
          ordering: 'Descending',
        }),
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
            nextCursor: '21.1-AQEBAQEBAQEB',
          },
        },
      },
    ],
    errors: errors('invalidParams', 'callFailed', 'tooManyRequests', 'responseTooBig'),
  },
  {
    name: 'ledger_subscribeEvent',
    summary: 'Live events that match a filter, over WebSocket.',
    ...DEPRECATED,
    params: [
      param('filter', 'an attribute filter, or And, Or, All, Any of filters', 'EventFilter'),
      optional(
        'resume',
        'where to begin: a nextCursor (that event first), or the id of the last event received, with its txDigest ({txSeq, eventSeq, txDigest}). A position that is ahead of the ledger, or of another ledger, is refused',
        { oneOf: [schemaNamed('Cursor'), schemaNamed('SeenEvent'), { type: 'null' }] },
      ),
    ],
    result: { name: 'subscription', schema: sequence.schema },
    // The events of the subscription arrive as notifications.
    examples: [
      {
        name: 'events of one package and one sender',
        params: values({
          filter: { And: [{ Package: PACKAGE }, { SenderAddress: '0xb0b' }] },
          resume: null,
        }),
        result: { name: 'subscription', value: 1 },
      },
    ],
    errors: errors('invalidRequest', 'invalidParams', 'callFailed', 'tooManySubscriptions'),
  },
  {
    name: 'ledger_unsubscribeEvent',
    summary: 'Ends a subscription of the same connection.',
    ...DEPRECATED,
    params: [
      {
        name: 'subscription',
        required: true,
        description: 'the result of subscribeEvent',
        schema: sequence.schema,
      },
    ],
    result: { name: 'known', schema: { type: 'boolean' } },
    examples: [
      {
        name: 'the end of a subscription',
        params: values({ subscription: 1 }),
        result: { name: 'known', value: true },
      },
    ],
    errors: errors('invalidRequest', 'invalidParams'),
  },
];

/** The OpenRPC document that `rpc.discover` returns. */
export function describeMethods(): object {
  return {
    openrpc: '1.3.2',
    info: { title: 'Ledger events', version: '1.0.0' },
    methods: METHODS.map((method) => ({ ...method, paramStructure: 'by-position' })),
    components: { schemas },
  };
}

function param(name: string, description: string, schema: string): object {
  return { name, required: true, description, schema: schemaNamed(schema) };
}

function optional(name: string, description: string, schema: JsonSchema): object {
  return { name, required: false, description, schema };
}

/** Params of an example. */
function values(params: Readonly<Record<string, unknown>>): readonly object[] {
  return Object.entries(params).map(([name, value]) => ({ name, value }));
}

function errors(...codes: readonly (keyof typeof MEANINGS)[]): readonly object[] {
  return codes.map((code) => ({ code: JsonRpcCode[code], message: MEANINGS[code] }));
}

/** A filter by one attribute, or a combination of filters of the other schema. */
function filterOver(inner: JsonSchema, description: string): JsonSchema {
  const pair = { type: 'array', items: inner, minItems: 2, maxItems: 2 };
  const several = { type: 'array', items: inner, minItems: 1 };
  return {
    description,
    oneOf: [
      ...attributeSchemas,
      objectOf({ And: pair }),
      objectOf({ Or: pair }),
      objectOf({ All: several }),
      objectOf({ Any: several }),
    ],
  };
}

const deepest: JsonSchema = {
  type: 'object',
  minProperties: 1,
  maxProperties: 1,
  description: 'Another filter of the form of EventFilter. The depth of filters is limited.',
};

/**
 * The filter of a subscription (specification, "Subscription filters"). Filters nest, but their schemas do
 * not refer to themselves: tools that replace references by their schemas would never end, or use gigabytes.
 */
const filterSchemas: Readonly<Record<string, JsonSchema>> = {
  EventFilter: filterOver(
    schemaNamed('InnerEventFilter'),
    'A filter by one attribute, or a combination of filters.',
  ),
  InnerEventFilter: filterOver(deepest, 'A filter within a combination.'),
};

const text: JsonSchema = { type: 'string' };
const address = schemaNamed('Address');
const count: JsonSchema = { type: 'integer', minimum: 0 };
/** Of every event that a command of a transaction causes. */
const origin = { packageId: address, transactionModule: text, sender: address };

/** The result of a query (specification, "Ledger events" and "Stored event record"). */
const recordSchemas: Readonly<Record<string, JsonSchema>> = {
  LedgerEvent: {
    description: 'An object with one key, which names the kind of the event.',
    oneOf: [
      objectOf({
        moveEvent: objectOf({
          ...origin,
          type: schemaNamed('StructTag'),
          fields: {
            type: ['object', 'null'],
            description:
              'u64 and larger are decimal strings, addresses 0x and 64 hex digits; null if they are too large to be shown.',
          },
          bcs: { type: 'string', contentEncoding: 'base64' },
        }),
      }),
      objectOf({ publish: objectOf({ sender: address, packageId: address }) }),
      objectOf({
        transferObject: objectOf({
          ...origin,
          recipient: schemaNamed('Owner'),
          objectId: address,
          version: count,
          type: text,
        }),
      }),
      objectOf({ deleteObject: objectOf({ ...origin, objectId: address }) }),
      objectOf({
        newObject: objectOf({ ...origin, recipient: schemaNamed('Owner'), objectId: address }),
      }),
      objectOf({ epochChange: count }),
      objectOf({ checkpoint: count }),
    ],
  },
  StoredEventRecord: objectOf({
    timestamp: schemaNamed('Milliseconds'),
    txDigest: schemaNamed('TransactionDigest'),
    id: schemaNamed('EventId'),
    event: schemaNamed('LedgerEvent'),
  }),
  EventPage: objectOf({
    data: { type: 'array', items: schemaNamed('StoredEventRecord'), maxItems: LARGEST_PAGE },
    nextCursor: {
      description: 'The event with which the next page begins; null when no event follows.',
      oneOf: [schemaNamed('Cursor'), { type: 'null' }],
    },
  }),
};

const positionSchemas: Readonly<Record<string, JsonSchema>> = {
  EventId: {
    ...idSchemas[0],
    description:
      'The place of an event: the transaction in the ledger’s total order, the event in the transaction.',
  },
  SeenEvent: {
    oneOf: idSchemas,
    description:
      'The id of an event, and the digest of its transaction, by which its ledger is recognised.',
  },
  Cursor: cursorSchema,
};

/** All schemas by name. Code generators name types by the titles of their schemas. */
const schemas = Object.fromEntries(
  Object.entries({
    EventCriterion: criterionSchema,
    ...filterSchemas,
    ...recordSchemas,
    ...positionSchemas,
    ...Object.fromEntries(namedTypes.map(({ name, definition }) => [name, definition])),
  }).map(([title, schema]) => [title, { title, ...schema }]),
);
