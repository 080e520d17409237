import { LARGEST_PAGE } from '@forecourt/contracts';
import { type JsonSchema, objectOf, schemaNamed } from './json-schema.js';

const text: JsonSchema = { type: 'string' };
const address = schemaNamed('Address');
const count: JsonSchema = { type: 'integer', minimum: 0 };
/** Of every event that a command of a transaction causes. */
const origin = { packageId: address, transactionModule: text, sender: address };

/** What a query returns (specification, "Ledger events" and "Stored event record"). */
export const recordSchemas: Readonly<Record<string, JsonSchema>> = {
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
