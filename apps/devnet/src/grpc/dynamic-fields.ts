import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  DynamicFieldSchema,
  type ListDynamicFieldsRequest,
  type ListDynamicFieldsResponseSchema,
} from '@forecourt/ledger/node-messages';
import type { NodeProfile } from '../node/node-profile.js';
import { invalidField } from './grpc-status.js';
import { requireMessageSize } from './message-size.js';
import { readRequiredId } from './read-items.js';
import { ReadMask } from './read-mask.js';

/**
 * The dynamic fields of an object: this ledger executes no Move bytecode, so that no object has any, and no
 * page has another one after it. Throws `GrpcFailure`.
 */
export function listDynamicFields(
  { parent, readMask, maxMessageSizeBytes, pageToken }: ListDynamicFieldsRequest,
  profile: Pick<NodeProfile, 'version'>,
): MessageInitShape<typeof ListDynamicFieldsResponseSchema> {
  readRequiredId('parent', parent);
  ReadMask.read(readMask, ['parent', 'field_id'], DynamicFieldSchema, profile);
  requireMessageSize(maxMessageSizeBytes);
  if (pageToken !== undefined) throw invalidField('page_token', 'invalid page_token');
  return {};
}
