import { describe, expect, it } from '@jest/globals';
import { StateService } from '@forecourt/ledger/node-messages';
import { status } from '@grpc/grpc-js';
import { fromHex, normalizeIotaAddress } from '@iota/iota-sdk/utils';
import { useDevnet } from '../testing/use-devnet.test-support.js';

const { listDynamicFields } = StateService.method;

const own = useDevnet();

const idOf = (text: string) => ({ objectId: fromHex(normalizeIotaAddress(text)) });

describe('ListDynamicFields', () => {
  it('finds none, since no object of this ledger has any', async () => {
    const page = await own.grpc.unary(listDynamicFields, { parent: idOf('0x5') });
    expect([page.dynamicFields, page.nextPageToken]).toEqual([[], undefined]);
  });

  it.each([
    ['without a parent', { parent: undefined }, 'parent is required'],
    [
      'of a short parent',
      { parent: { objectId: Uint8Array.of(5) } },
      'invalid parent: error converting from protobuf: field: object_id reason: FIELD_INVALID description: expected 32 bytes',
    ],
    ['with an unknown part', { readMask: { paths: ['nope'] } }, 'invalid read_mask path: nope'],
    ['with a token', { pageToken: Uint8Array.of(1) }, 'invalid page_token'],
    ['with tiny messages', { maxMessageSizeBytes: 1 }, 'must be at least 1048576 bytes'],
  ])('refuses a request %s', async (_, request, details) => {
    const answer = own.grpc.unary(listDynamicFields, { parent: idOf('0x5'), ...request });
    await expect(answer).rejects.toMatchObject({ code: status.INVALID_ARGUMENT, details });
  });
});
