import { eventKinds, LARGEST_PAGE } from '@forecourt/contracts';

/** A JSON Schema of draft 7, the dialect of OpenRPC 1.3. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A reference to a schema among the document's components. */
export function schemaNamed(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object with exactly these fields. */
function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

const IDENTIFIER = '[A-Za-z_][A-Za-z0-9_]*';
const ADDRESS = '0[xX][0-9a-fA-F]{1,64}';

/** A position, or the id of a subscription. */
export const sequence: JsonSchema = {
  type: 'integer',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
};

/** The values in criteria, filters and events. */
const valueSchemas: Readonly<Record<string, JsonSchema>> = {
  Address: {
    type: 'string',
    pattern: `^${ADDRESS}$`,
    description:
      'An address or the id of an object: 0x and hex digits, leading zeros may be left out.',
  },
  ModuleName: { type: 'string', pattern: `^${IDENTIFIER}$`, maxLength: 128 },
  StructTag: {
    type: 'string',
    pattern: `^${ADDRESS}::${IDENTIFIER}::${IDENTIFIER}(?:<.+>)?$`,
    maxLength: 4_096,
    description: '<package_id>::<module>::<struct_name>, with type parameters where it has some.',
  },
  TransactionDigest: {
    type: 'string',
    minLength: 32,
    maxLength: 44,
    description:
      'The digest of a transaction: in base64 or base58 in params, in base64 in results.',
  },
  EventKind: { type: 'string', enum: [...eventKinds] },
  Owner: {
    description: 'Who owns an object.',
    oneOf: [
      objectOf({ AddressOwner: schemaNamed('Address') }),
      objectOf({ ObjectOwner: schemaNamed('Address') }),
      objectOf({ Shared: objectOf({ initial_shared_version: sequence }) }),
      { const: 'Immutable' },
    ],
  },
  EventId: {
    ...objectOf({ txSeq: sequence, eventSeq: sequence }),
    description:
      'The place of an event: the transaction in the ledger’s total order, the event in the transaction.',
  },
  Cursor: {
    ...sequence,
    description: 'A position in the order of events, as `nextCursor` of an earlier page names it.',
  },
  Milliseconds: { ...sequence, description: 'Milliseconds since 1970.' },
};

/** The criterion of a query (specification, "EventQuery criteria"). */
const criterionSchema: JsonSchema = {
  description: '"All", or an object with exactly one criterion.',
  oneOf: [
    { const: 'All' },
    objectOf({ All: { type: 'array', maxItems: 0, items: {} } }),
    objectOf({ Transaction: schemaNamed('TransactionDigest') }),
    objectOf({
      MoveModule: objectOf({
        package: schemaNamed('Address'),
        module: schemaNamed('ModuleName'),
      }),
    }),
    objectOf({ MoveEvent: schemaNamed('StructTag') }),
    objectOf({ EventType: schemaNamed('EventKind') }),
    objectOf({ Sender: schemaNamed('Address') }),
    objectOf({ Recipient: schemaNamed('Owner') }),
    objectOf({ Object: schemaNamed('Address') }),
    objectOf({
      TimeRange: objectOf({
        startTime: schemaNamed('Milliseconds'),
        endTime: schemaNamed('Milliseconds'),
      }),
    }),
  ],
};

const attributes: readonly JsonSchema[] = [
  objectOf({ Package: schemaNamed('Address') }),
  objectOf({ Module: schemaNamed('ModuleName') }),
  objectOf({ MoveEventType: schemaNamed('StructTag') }),
  objectOf({
    MoveEventField: objectOf({
      path: {
        type: 'string',
        pattern: '^/(?:[^~]|~[01])*$',
        maxLength: 1_024,
        description: 'A JSON pointer (RFC 6901) into the fields of the event.',
      },
      value: { description: 'Any JSON; integers above 2^53 as strings.' },
    }),
  }),
  objectOf({ SenderAddress: schemaNamed('Address') }),
  objectOf({ EventType: schemaNamed('EventKind') }),
  objectOf({ ObjectId: schemaNamed('Address') }),
];

/** A filter by one attribute, or a combination of filters of the other schema. */
function filterOver(inner: JsonSchema, description: string): JsonSchema {
  const pair = { type: 'array', items: inner, minItems: 2, maxItems: 2 };
  const several = { type: 'array', items: inner, minItems: 1 };
  return {
    description,
    oneOf: [
      ...attributes,
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
 * themselves: tools that replace references by what they name would never end, or use gigabytes.
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
            type: 'object',
            description: 'u64 and larger are decimal strings, addresses 0x and 64 hex digits.',
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

/** All schemas by name. Code generators name types by the titles of their schemas. */
export const schemas = Object.fromEntries(
  Object.entries({
    EventCriterion: criterionSchema,
    ...filterSchemas,
    ...recordSchemas,
    ...valueSchemas,
  }).map(([title, schema]) => [title, { title, ...schema }]),
);
