import { afterEach, describe, expect, it } from '@jest/globals';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { LedgerService } from '@forecourt/ledger/node-messages';
import { status } from '@grpc/grpc-js';
import { toHex } from '@iota/iota-sdk/utils';
import { useDevnet } from '../testing/use-devnet.test-support.js';

const { getEpoch, getHealth, getServiceInfo } = LedgerService.method;

describe('what a node says about itself over gRPC', () => {
  const own = useDevnet();
  afterEach(() => own.devnet.control('DELETE', '/node'));

  const epoch = async (number: bigint | undefined, paths?: readonly string[]) => {
    const answer = await own.grpc.unary(getEpoch, {
      ...(number !== undefined && { epoch: number }),
      ...(paths && { readMask: { paths: [...paths] } }),
    });
    return answer.epoch!;
  };

  it('names the chain, its newest checkpoint and the oldest ones, and by default no server', async () => {
    const info = await own.grpc.unary(getServiceInfo, {});
    expect(toHex(info.chainId!.digest.slice(0, 4))).toBe(own.devnet.chainIdentifier);
    expect(info.lowestAvailableCheckpoint).toBe(0n);
    expect(info.lowestAvailableCheckpointObjects).toBe(0n);
    const latest = await own.devnet.client.getLatestCheckpointSequenceNumber();
    expect(info.executedCheckpointHeight).toBe(BigInt(latest));
    expect([info.server, info.chain]).toEqual([undefined, undefined]);
  });

  it.each([
    ['2022', 'iota-node/1.21.0-devnet'],
    ['2025', 'iota-node/1.21.0-devnet'],
    ['2026', 'iota-node/1.36.0-devnet'],
  ])('names its version when it is asked: %s', async (version, server) => {
    await own.devnet.control('POST', '/node', { version });
    for (const path of ['server', '*']) {
      const info = await own.grpc.unary(getServiceInfo, { readMask: { paths: [path] } });
      expect(info.server).toBe(server);
    }
    const nothing = await own.grpc.unary(getServiceInfo, { readMask: { paths: [] } });
    expect(nothing).toEqual({ $typeName: nothing.$typeName });
  });

  it('is healthy while its newest checkpoint is young enough', async () => {
    const { sequenceNumber } = own.devnet.engine.sealCheckpoint(true)!;
    const health = await own.grpc.unary(getHealth, {});
    expect(health.executedCheckpointHeight).toBe(BigInt(sequenceNumber));
    await own.devnet.rpc('iota_getChainIdentifier');
    const { timestampMs: sealedMs } = own.devnet.engine.latestCheckpoint;
    while (Date.now() === sealedMs) await own.devnet.rpc('iota_getChainIdentifier');
    await expect(own.grpc.unary(getHealth, { thresholdMs: 0n })).rejects.toMatchObject({
      code: status.UNAVAILABLE,
      details: 'Latest checkpoint timestamp is beyond the threshold of 0ms',
    });
  });

  it('knows every epoch that has begun', async () => {
    await own.devnet.control('POST', '/epoch');
    const end = BigInt(own.devnet.engine.latestCheckpoint.sequenceNumber);
    const first = await epoch(0n);
    expect([first.firstCheckpoint, first.lastCheckpoint]).toEqual([0n, end]);
    expect(timestampMs(first.end!)).toBe(own.devnet.engine.systemState().epochStartMs);
    expect(first.protocolConfig).toMatchObject({ protocolVersion: 20n });
    const current = await epoch(undefined);
    expect([current.epoch, current.firstCheckpoint, current.lastCheckpoint, current.end]).toEqual([
      1n,
      end + 1n,
      undefined,
      undefined,
    ]);
    expect(current.start).toEqual(first.end);
    expect(current.referenceGasPrice).toBe(1_000n);
  });

  it('knows of an epoch in the future nothing but its number', async () => {
    const future = await epoch(1_000n);
    expect(future).toEqual({ $typeName: future.$typeName, epoch: 1_000n });
    await expect(epoch(1_000n, ['committee'])).rejects.toMatchObject({
      code: status.NOT_FOUND,
      details: 'failed to merge epoch: Committee for epoch 1000 not found',
    });
    const { committee } = await epoch(0n, ['committee']);
    expect(committee!.members!.members).toHaveLength(1);
  });

  it('shows flags and attributes only if they are named', async () => {
    const all = await epoch(undefined, ['*']);
    expect(all.protocolConfig!.attributes).toBeUndefined();
    const paths = ['reference_gas_price', 'protocol_config.attributes.max_tx_gas'];
    const one = await epoch(undefined, paths);
    expect(one.protocolConfig!.attributes!.attributes).toEqual({ max_tx_gas: '50000000000' });
    expect(one.epoch).toBeUndefined();
    const every = await epoch(undefined, ['protocol_config.attributes']);
    expect(Object.keys(every.protocolConfig!.attributes!.attributes).length).toBeGreaterThan(5);
    await expect(epoch(undefined, ['epoc'])).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: 'invalid read_mask path: epoc',
    });
  });
});
