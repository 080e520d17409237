import {
  type ExplainedJob,
  type ExplainedOnLedger,
  type ExplainedReservation,
  type ExplainResponse,
  type FleetCoins,
  type FleetQuarantine,
  type FleetQueue,
  type FleetReplica,
  type FleetResponse,
  type FleetSpending,
  type FleetSponsor,
  type FleetTransaction,
  transactionVerdicts,
} from '@forecourt/contracts';
import {
  decimal,
  digest,
  type JsonSchema,
  objectId,
  objectOf,
  reservationId,
  schemaNamed,
} from './json-schema.js';
import { drainSchema } from './sponsor-schemas.js';

const text = { type: 'string' };
const integer = { type: 'integer' };
const time = { type: 'integer', description: 'Milliseconds since 1970.' };
const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const byState = (schema: JsonSchema): JsonSchema => ({
  type: 'object',
  additionalProperties: schema,
});

const spending = orNull(objectOf<FleetSpending>({ spent: decimal, since: time }));

const sponsor = objectOf<FleetSponsor>({
  sponsor_address: objectId,
  balance: { ...decimal, description: 'Of all coins, in the ledger’s smallest unit.' },
  coins: byState(objectOf<FleetCoins>({ coins: integer, balance: decimal })),
  spending: objectOf<FleetSponsor['spending']>({ hour: spending, day: spending }),
  days_left: {
    type: ['number', 'null'],
    description: 'At the rate of the day; null while nothing is spent, or too little was observed.',
  },
  leader: { type: ['string', 'null'], description: 'The replica that leads the pool.' },
  suspended_secs: { type: ['integer', 'null'] },
  drain: drainSchema,
  reservations: byState(integer),
});

const quarantine = objectOf<FleetQuarantine>({
  reason: text,
  ends_after_epoch: { type: ['integer', 'null'] },
  moved_on_by: orNull(digest),
});

const transaction = objectOf<FleetTransaction>({
  sponsor_address: objectId,
  state: { type: 'string', enum: ['claimed', 'executing', 'quarantined'] },
  digest,
  reservation_id: reservationId,
  caller: { type: 'string', description: 'Name of the token.' },
  reserved_at: time,
  begun_at: orNull(time),
  age_secs: integer,
  executor: { type: ['string', 'null'] },
  coins: integer,
  quarantine: orNull(quarantine),
});

const fleet = objectOf<FleetResponse['result']>({
  sponsors: listOf(sponsor),
  transactions: listOf(transaction),
  epoch: { type: ['integer', 'null'] },
  queue: orNull(
    objectOf<FleetQueue>({ waiting: integer, active: integer, delayed: integer, failed: integer }),
  ),
  replicas: listOf(
    objectOf<FleetReplica>({
      service: text,
      id: text,
      version: text,
      started_at: time,
      seen_at: time,
    }),
  ),
  problems: { ...listOf(text), description: 'What is missing from this answer, and why.' },
});

const reservation = objectOf<ExplainedReservation>({
  reservation_id: reservationId,
  sponsor_address: objectId,
  caller: { type: 'string', description: 'Name of the token.' },
  state: text,
  gas_budget: integer,
  reserve_duration_secs: { type: 'number' },
  reserved_at: time,
  expires_at: time,
  gas_coins: listOf(schemaNamed('GasCoin')),
  digest: orNull(digest),
  claims: integer,
  begun_at: orNull(time),
  executor: { type: ['string', 'null'] },
  rule: { type: ['string', 'null'] },
  waiters: integer,
  usage: listOf(
    objectOf<ExplainedReservation['usage'][number]>({
      counter: text,
      counts: text,
      amount: decimal,
      used: decimal,
    }),
  ),
  refusal: orNull(
    objectOf<NonNullable<ExplainedReservation['refusal']>>({
      digest,
      message: text,
      quarantine_ends_after_epoch: { type: ['integer', 'null'] },
      moved_on_by: orNull(digest),
    }),
  ),
  kept_for_secs: { type: ['integer', 'null'] },
});

const onLedger = objectOf<ExplainedOnLedger>({
  status: text,
  error: { type: ['string', 'null'] },
  epoch: text,
  gas_charged: decimal,
  sender: orNull(objectId),
  gas_owner: orNull(objectId),
});

const explanation = objectOf<ExplainResponse['result']>({
  verdict: { type: 'string', enum: [...transactionVerdicts] },
  meaning: { type: 'string', description: 'What it means, in sentences.' },
  advice: { type: 'string', description: 'What to do, in sentences.' },
  digest: orNull(digest),
  reservation: orNull(reservation),
  job: orNull(
    objectOf<ExplainedJob>({
      id: text,
      state: text,
      attempts: integer,
      enqueued_at: time,
      last_error: { type: ['string', 'null'] },
    }),
  ),
  ledger: orNull({ anyOf: [onLedger, { const: 'unreachable' }] }),
  decisions: {
    ...orNull(listOf({ type: 'object' })),
    description: 'Lines of the access audit; null where the gateway that was asked keeps no file.',
  },
});

/** Schemas of the answers about the fleet and about one transaction, by name. */
export function inspectionSchemas(): Record<string, JsonSchema> {
  return {
    FleetResponse: objectOf<FleetResponse>({ result: fleet }),
    ExplainResponse: objectOf<ExplainResponse>({ result: explanation }),
  };
}
