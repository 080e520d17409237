import {
  DrainRequest,
  type SponsorCoins,
  type SponsorDrain,
  type SponsorsResponse,
  type SponsorStatus,
  UndrainRequest,
  type WithdrawalStatus,
  WithdrawRequest,
} from '@forecourt/contracts';
import { decimal, type JsonSchema, objectId, objectOf } from './json-schema.js';
import { schemaOfBody } from './schema-of-body.js';

const count = { type: 'integer', minimum: 0 };
const time = { type: 'integer', description: 'Milliseconds since 1970.' };
/** Why a sponsor is drained; null: it is not. */
export const drainSchema: JsonSchema = {
  anyOf: [
    objectOf<SponsorDrain>({
      reason: { type: 'string' },
      by: { type: 'string', description: 'Name of the operator’s token.' },
      since: time,
    }),
    { type: 'null' },
  ],
};

const sponsorStatus = objectOf<SponsorStatus>({
  sponsor_address: objectId,
  state: {
    type: 'string',
    enum: ['serving', 'draining', 'drained', 'opening', 'no-key'],
    description:
      '`draining`: gives no reservations, but some of its coins are reserved or in flight. `opening`: its key is new. `no-key`: the coin-pool that answers has no key of it.',
  },
  coins: objectOf<SponsorCoins>({
    available: count,
    dust: count,
    treasury: count,
    reserved: count,
    claimed: count,
    executing: count,
    quarantined: count,
    maintenance: count,
  }),
  balance: { ...decimal, description: 'Of all its coins.' },
  drain: drainSchema,
  withdrawal: {
    description: 'The latest withdrawal.',
    anyOf: [
      objectOf<WithdrawalStatus>({
        to_address: objectId,
        reason: { type: 'string' },
        by: { type: 'string' },
        since: time,
        coins: { ...count, description: 'How many have left.' },
        arrived: { ...decimal, description: 'What has arrived at the address.' },
        digest: { type: ['string', 'null'], description: 'Of the last transaction.' },
        ended: { type: ['integer', 'null'], description: 'Null while it is in progress.' },
      }),
      { type: 'null' },
    ],
  },
});

/** Schemas of the bodies with which sponsors are drained, withdrawn and listed, by name. */
export function sponsorSchemas(): Record<string, JsonSchema> {
  return {
    DrainRequest: schemaOfBody(DrainRequest, {
      sponsor_address: 'The sponsor to drain.',
      reason: 'Told to callers.',
    }),
    UndrainRequest: schemaOfBody(UndrainRequest, {
      sponsor_address: 'The sponsor that serves again.',
    }),
    WithdrawRequest: schemaOfBody(WithdrawRequest, {
      sponsor_address: 'The sponsor whose funds are sent.',
      to_address: 'Where they are sent.',
      reason: 'Recorded with the action.',
    }),
    SponsorsResponse: objectOf<SponsorsResponse>({
      result: objectOf<SponsorsResponse['result']>({
        sponsors: { type: 'array', items: sponsorStatus },
      }),
    }),
  };
}
