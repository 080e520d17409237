import { type JsonSchema, objectOf, schemaNamed } from './json-schema.js';

const filter = schemaNamed('EventFilter');
const pair: JsonSchema = { type: 'array', items: filter, minItems: 2, maxItems: 2 };
const several: JsonSchema = { type: 'array', items: filter, minItems: 1 };

/** What a subscription asks for (specification, "Subscription filters"). */
export const filterSchema: JsonSchema = {
  description: 'A filter by one attribute, or a combination of filters.',
  oneOf: [
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
    objectOf({ And: pair }),
    objectOf({ Or: pair }),
    objectOf({ All: several }),
    objectOf({ Any: several }),
  ],
};
