import {
  ApiProperty,
  type ApiPropertyOptions,
  ApiSchema,
  type ApiSchemaOptions,
} from '@nestjs/swagger';
import type { Owner } from '../ledger-events/ledger-event.js';
import { DIGEST, FULL_ADDRESS } from './fields.js';

const COST = {
  type: 'string',
  pattern: '^[0-9]+$',
  description: 'In the ledger’s smallest unit.',
  example: '1000000',
} as const;
const VERSION = { type: 'integer', minimum: 0, example: 3 } as const;

function keyed(key: string, value: object) {
  return { type: 'object', properties: { [key]: value }, required: [key] };
}

const OWNER = {
  anyOf: [
    keyed('AddressOwner', FULL_ADDRESS),
    keyed('ObjectOwner', FULL_ADDRESS),
    keyed('Shared', keyed('initial_shared_version', VERSION)),
    { type: 'string', enum: ['Immutable'] },
  ],
} as ApiPropertyOptions;

/** One version of one object (specification, "Gas coin reference"). */
export class ObjectReference {
  @ApiProperty(FULL_ADDRESS) readonly objectId!: string;
  /** Below 2^53. */
  @ApiProperty(VERSION) readonly version!: number;
  @ApiProperty(DIGEST) readonly digest!: string;
}

export class OwnedReference {
  @ApiProperty(OWNER) readonly owner!: Owner;
  @ApiProperty() readonly reference!: ObjectReference;
}

class ObjectVersion {
  @ApiProperty(FULL_ADDRESS) readonly objectId!: string;
  @ApiProperty({ type: 'string', pattern: '^[0-9]+$', example: '3' })
  readonly sequenceNumber!: string;
}

class ExecutionStatus {
  @ApiProperty({ enum: ['success', 'failure'] }) readonly status!: 'success' | 'failure';
  @ApiProperty({ required: false, description: 'Why it failed.' }) readonly error?: string;
}

class GasUsed {
  @ApiProperty(COST) readonly computationCost!: string;
  @ApiProperty(COST) readonly computationCostBurned!: string;
  @ApiProperty(COST) readonly storageCost!: string;
  @ApiProperty(COST) readonly storageRebate!: string;
  @ApiProperty(COST) readonly nonRefundableStorageFee!: string;
}

const OBJECTS: ApiPropertyOptions = { type: [OwnedReference], required: false };
const REFERENCES: ApiPropertyOptions = { type: [ObjectReference], required: false };

/**
 * The effects of a transaction in the ledger's own JSON, passed on unchanged (specification, "Effects
 * object"). Nodes leave out empty lists, and add fields.
 */
// Swagger copies all options into the schema, though its type names only two.
@ApiSchema({ additionalProperties: true } as ApiSchemaOptions)
export class TransactionEffects {
  @ApiProperty({ example: 'v1' }) readonly messageVersion!: string;
  @ApiProperty() readonly status!: ExecutionStatus;
  @ApiProperty({ type: 'string', pattern: '^[0-9]+$', example: '12' })
  readonly executedEpoch!: string;
  @ApiProperty() readonly gasUsed!: GasUsed;

  @ApiProperty({
    type: [ObjectVersion],
    required: false,
    description: 'The changed objects, at their versions before.',
  })
  readonly modifiedAtVersions?: readonly ObjectVersion[];

  @ApiProperty({
    type: [ObjectReference],
    required: false,
    description: 'Shared inputs, at the versions that it used.',
  })
  readonly sharedObjects?: readonly ObjectReference[];

  @ApiProperty(DIGEST) readonly transactionDigest!: string;
  @ApiProperty(OBJECTS) readonly created?: readonly OwnedReference[];
  @ApiProperty(OBJECTS) readonly mutated?: readonly OwnedReference[];
  @ApiProperty(OBJECTS) readonly unwrapped?: readonly OwnedReference[];
  @ApiProperty(REFERENCES) readonly deleted?: readonly ObjectReference[];
  @ApiProperty(REFERENCES) readonly unwrappedThenDeleted?: readonly ObjectReference[];
  @ApiProperty(REFERENCES) readonly wrapped?: readonly ObjectReference[];

  @ApiProperty({ description: 'The coin that paid, or into which several were merged.' })
  readonly gasObject!: OwnedReference;

  @ApiProperty({ ...DIGEST, required: false }) readonly eventsDigest?: string;

  @ApiProperty({
    type: 'array',
    items: DIGEST,
    required: false,
    description: 'The transactions that made its inputs.',
  })
  readonly dependencies?: readonly string[];

  readonly [field: string]: unknown;
}
