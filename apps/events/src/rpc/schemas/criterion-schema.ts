import { type JsonSchema, objectOf, schemaNamed } from './json-schema.js';

/** What a query asks for (specification, "EventQuery criteria"). */
export const criterionSchema: JsonSchema = {
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
