import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { signedTransfer } from '../testing/signed-transfer.test-support.js';
import { startTestDevnet, type TestDevnet } from '../testing/start-test-devnet.test-support.js';

const EXECUTE = 'iota_executeTransactionBlock';
const UNKNOWN = '11111111111111111111111111111111';

describe('kinds of nodes', () => {
  let devnet: TestDevnet;
  beforeAll(async () => {
    devnet = await startTestDevnet();
  });
  afterEach(async () => {
    await devnet.control('DELETE', '/faults');
    await devnet.control('DELETE', '/node');
  });
  afterAll(() => devnet.stop());

  const behaveLike = (behaviour: object) => devnet.control('POST', '/node', behaviour);
  const lock = (objectId: string) =>
    devnet.control('POST', '/locks', { objectId, digest: UNKNOWN });

  it('start with the configured kind, and return to it after DELETE /node', async () => {
    const configured = await devnet.control('GET', '/node');
    expect(configured).toEqual({
      version: '2025',
      behindIndexer: false,
      missingIsTransient: false,
      certificateless: false,
      softLockMs: 12_000,
      requiredHeaders: {},
      unsupportedFilters: [],
      lagMs: { minMs: 0, maxMs: 0 },
    });
    await behaveLike({ version: '2026', softLockMs: 50 });
    expect(await devnet.control('GET', '/node')).toMatchObject({ version: '2026', softLockMs: 50 });
    await devnet.control('DELETE', '/node');
    expect(await devnet.control('GET', '/node')).toEqual(configured);
  });

  it.each([
    [{ version: '2024' }, '"version"'],
    [{ behindIndexer: 'yes' }, '"behindIndexer"'],
    [{ softLockMs: 0 }, '"softLockMs"'],
    [{ requiredHeaders: { a: 1 } }, '"requiredHeaders"'],
    [{ unsupportedFilters: 'InputObject' }, '"unsupportedFilters"'],
    [{ unsupportedFilters: ['Objects'] }, '"unsupportedFilters"'],
    [{ lagMs: '500-100' }, '"lagMs"'],
    [{ indexer: true }, '"indexer"'],
  ])('refuse an invalid field in POST /node: %j', async (body, field) => {
    const answer = await devnet.control('POST', '/node', body, 400);
    expect(answer).toEqual({ error: expect.stringContaining(field) });
  });

  it('report a transaction that is not found with -32602 before August 2026, -32003 since, -32603 behind an indexer', async () => {
    const codeOf = async () =>
      (await devnet.rpc('iota_getTransactionBlock', [UNKNOWN])).error?.code;
    const codes = [await codeOf()];
    await behaveLike({ version: '2026' });
    codes.push(await codeOf());
    await behaveLike({ behindIndexer: true });
    codes.push(await codeOf());
    expect(codes).toEqual([-32602, -32003, -32603]);
  });

  it('reject a filter without an index like a full node, and accept the others', async () => {
    const id = `0x${'26'.repeat(32)}`;
    const pair = { from: id, to: id };
    await behaveLike({
      unsupportedFilters: ['ChangedObject', 'FromAndToAddress', 'TransactionKind'],
    });
    const query = (filter: object) => devnet.rpc('iotax_queryTransactionBlocks', [{ filter }]);
    const unsupported = (debug: string) => ({
      code: -32602,
      message: `Error checking transaction input objects: Unsupported("Some(${debug})")`,
    });
    expect((await query({ ChangedObject: id })).error).toEqual(unsupported(`ChangedObject(${id})`));
    expect((await query({ FromAndToAddress: pair })).error).toEqual(
      unsupported(`FromAndToAddress { from: ${id}, to: ${id} }`),
    );
    expect((await query({ TransactionKind: 'ProgrammableTransaction' })).error).toEqual(
      unsupported('TransactionKind(\\"ProgrammableTransaction\\")'),
    );
    expect((await query({ InputObject: id })).result).toMatchObject({ data: [] });
  });

  it('introduce input errors in the words of their version, also those of injected faults', async () => {
    const { params } = await signedTransfer(devnet);
    const refusal = async () => {
      await devnet.setFault({ kind: 'refuse', preset: 'stale', times: 1 });
      return (await devnet.rpc(EXECUTE, params)).error?.message;
    };
    expect(await refusal()).toMatch(/^Transaction execution failed due to .*: Object ID .*\.$/);
    await behaveLike({ version: '2026' });
    expect(await refusal()).toMatch(/^Transaction execution failed due to .*:\n- Object ID/s);
  });

  it('answer every error of a write with -32603 and the node’s text inside, behind an indexer', async () => {
    const { params, digest, coin } = await signedTransfer(devnet);
    await lock(coin.objectId);
    await behaveLike({ behindIndexer: true });
    const { error } = await devnet.rpc(EXECUTE, params);
    expect(error).toMatchObject({
      code: -32603,
      message: expect.stringContaining('equivocated until the next epoch'),
    });
    await devnet.setFault({ kind: 'transient', when: 'before', times: 1 });
    expect((await devnet.rpc(EXECUTE, params)).error).toMatchObject({
      code: -32603,
      message: expect.stringContaining('timed out before reaching finality'),
    });
    expect(devnet.engine.getTransaction(digest)).toBeNull();
  });

  it('name conflicting transactions in the data of -32002, with certificates', async () => {
    const { params, coin } = await signedTransfer(devnet);
    const reference = [coin.objectId, Number(coin.version), coin.digest];
    await devnet.setFault({ kind: 'refuse', preset: 'locked', times: 1 });
    const { error: ofPreset } = await devnet.rpc(EXECUTE, params);
    expect(Object.values(ofPreset?.data as object)).toEqual([[reference]]);
    await lock(coin.objectId);
    const { error } = await devnet.rpc(EXECUTE, params);
    expect(error).toMatchObject({ code: -32002, data: { [UNKNOWN]: [reference] } });
  });

  it('reject with a reason in error.data and let soft locks expire, without certificates', async () => {
    await behaveLike({ version: '2026', certificateless: true, softLockMs: 3_600_000 });
    const refused = await signedTransfer(devnet);
    await lock(refused.coin.objectId);
    expect((await devnet.rpc(EXECUTE, refused.params)).error).toMatchObject({
      code: -32002,
      data: { reason: 'REJECTED_BY_VALIDATORS' },
    });
    await behaveLike({ softLockMs: 1 });
    const { params, digest, coin } = await signedTransfer(devnet);
    await lock(coin.objectId);
    const submit = async (): Promise<unknown> =>
      (await devnet.rpc(EXECUTE, params)).result ?? submit();
    expect(await submit()).toMatchObject({ digest });
    const state = await devnet.client.getLatestIotaSystemState();
    expect(state.protocolVersion).toBe('32');
  });

  it('may execute a rejected transaction, without certificates', async () => {
    await behaveLike({ certificateless: true });
    const { params, digest } = await signedTransfer(devnet);
    await devnet.setFault({ kind: 'transient', when: 'later', afterMs: 20, times: 1 });
    const executed = new Promise((resolve) => {
      devnet.engine.changes.on('executed', (transaction) => {
        if (transaction.digest === digest) resolve(transaction.digest);
      });
    });
    expect((await devnet.rpc(EXECUTE, params)).error?.code).toBe(-32050);
    expect(await executed).toBe(digest);
  });

  it('may report ObjectNotFound and DependentPackageNotFound as -32050', async () => {
    await behaveLike({ missingIsTransient: true });
    const { params } = await signedTransfer(devnet);
    for (const preset of ['missing', 'missing-package']) {
      await devnet.setFault({ kind: 'refuse', preset, times: 1 });
      expect((await devnet.rpc(EXECUTE, params)).error?.code).toBe(-32050);
    }
    await devnet.setFault({ kind: 'refuse', preset: 'stale', times: 1 });
    expect((await devnet.rpc(EXECUTE, params)).error?.code).toBe(-32002);
  });

  it('accept any data of the fault refuse', async () => {
    const { params } = await signedTransfer(devnet);
    const data = { reason: 'SOMETHING_ELSE' };
    await devnet.setFault({ kind: 'refuse', code: -32002, message: 'no', data, times: 1 });
    expect((await devnet.rpc(EXECUTE, params)).error).toEqual({
      code: -32002,
      message: 'no',
      data,
    });
  });

  it.each([
    ['duplicate', 'cannot appear more than once'],
    ['duplicate-inputs', 'duplicated ObjectRef'],
    ['empty-arguments', 'cannot have empty arguments'],
    ['after-random', 'Commands following a command with Random'],
    ['shared-version', 'Wrong initial version given for shared object'],
    ['missing-package', 'Dependent package not found'],
    ['object-as-package', 'A move package is expected'],
    ['immutable-object', 'Immutable parameter provided'],
    ['mutable-object', 'Mutable parameter provided'],
    ['frozen', 'is frozen'],
    ['wrong-sender', 'not signed by the correct sender'],
    ['not-an-object', 'is not a Move object'],
    ['verification-timeout', 'Package verification failed: Verification timed out'],
  ])('send a node’s text for the preset of refuse: %s', async (preset, text) => {
    const { params } = await signedTransfer(devnet);
    await devnet.setFault({ kind: 'refuse', preset, times: 1 });
    const { error } = await devnet.rpc(EXECUTE, params);
    expect(error).toMatchObject({ code: -32002, message: expect.stringContaining(text) });
  });
});
