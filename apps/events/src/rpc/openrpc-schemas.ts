import {
  attributeSchemas,
  criterionSchema,
  type JsonSchema,
  LARGEST_PAGE,
  namedTypes,
  objectOf,
  schemaNamed,
  sequence,
} from '@forecourt/contracts';

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
 * The filter of a subscription (specification, "Subscription filters"). Filters nest, but their schemas do not refer to
 * themselves: tools that replace references by their schemas would never end, or use gigabytes.
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
      description: 'The first event not yet returned; null when there is none.',
      oneOf: [schemaNamed('Cursor'), { type: 'null' }],
    },
  }),
};

const positionSchemas: Readonly<Record<string, JsonSchema>> = {
  EventId: {
    ...objectOf({ txSeq: sequence.schema, eventSeq: sequence.schema }),
    description:
      'The place of an event: the transaction in the ledger’s total order, the event in the transaction.',
  },
  Cursor: {
    ...sequence.schema,
    description: 'A position in the order of events, as `nextCursor` of an earlier page names it.',
  },
};

/** All schemas by name. Code generators name types by the titles of their schemas. */
export const schemas = Object.fromEntries(
  Object.entries({
    EventCriterion: criterionSchema,
    ...filterSchemas,
    ...recordSchemas,
    ...positionSchemas,
    ...Object.fromEntries(namedTypes.map(({ name, definition }) => [name, definition])),
  }).map(([title, schema]) => [title, { title, ...schema }]),
);
