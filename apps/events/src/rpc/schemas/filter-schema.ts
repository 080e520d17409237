import { type JsonSchema, objectOf, schemaNamed } from './json-schema.js';

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
export const filterSchemas: Readonly<Record<string, JsonSchema>> = {
  EventFilter: filterOver(
    schemaNamed('InnerEventFilter'),
    'A filter by one attribute, or a combination of filters.',
  ),
  InnerEventFilter: filterOver(deepest, 'A filter within a combination.'),
};
