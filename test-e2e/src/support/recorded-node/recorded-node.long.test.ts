import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readGrpcRecording } from '@forecourt/ledger/recorded-node';
import type { ServiceProcess } from '@forecourt/testing/system';
import { ACCEPTED_DIFFERENCES, findUnaccepted } from './accepted-differences.js';
import { ACCEPTED_GRPC_DIFFERENCES, NOT_REPLAYED_CALLS } from './grpc/accepted-grpc-differences.js';
import type { GrpcScenario } from './grpc/grpc-scenario.js';
import { replayGrpcRecording } from './grpc/replay-grpc-recording.js';
import { startGrpcScenario } from './grpc/start-grpc-scenario.js';
import { compareAnswers } from './compare-answers.js';
import { replayRecording } from './replay-recording.js';
import type { Scenario } from './scenario.js';
import { startScenario } from './start-scenario.js';

describe('a devnet that gets the calls recorded on a real node', () => {
  let devnet: ServiceProcess;
  let scenario: Scenario;
  beforeAll(async () => {
    ({ devnet, scenario } = await startScenario());
  });
  afterAll(() => devnet.stop());

  it('answers like the node, apart from the accepted differences', async () => {
    const { calls, differences } = await replayRecording(scenario);
    expect(calls).toBeGreaterThan(140);
    expect(findUnaccepted(ACCEPTED_DIFFERENCES, differences)).toEqual([]);
  });
});

describe('a devnet that gets the gRPC calls recorded on a real node', () => {
  let devnet: ServiceProcess;
  let scenario: GrpcScenario;
  beforeAll(async () => {
    ({ devnet, scenario } = await startGrpcScenario());
  });
  afterAll(() => devnet.stop());

  it('answers like the node, apart from the accepted differences', async () => {
    const { calls, differences } = await replayGrpcRecording(scenario);
    expect(calls + NOT_REPLAYED_CALLS.size).toBe(readGrpcRecording().length);
    expect(findUnaccepted(ACCEPTED_GRPC_DIFFERENCES, differences)).toEqual([]);
  });
});

describe('a table of accepted differences', () => {
  const table = [{ calls: ['a', 'b'], lines: /^node only: \.x/, reason: '' }];
  const same = (name: string) => ({ name, lines: ['node only: .x', 'node only: .x.y'] });

  it('accepts its lines of its calls', () => {
    expect(findUnaccepted(table, [same('a'), same('b')])).toEqual([]);
  });

  it('accepts no other line, no other call, and no call that does not differ', () => {
    const more = { name: 'b', lines: ['node only: .x', 'devnet only: .x'] };
    expect(findUnaccepted(table, [more, same('c')])).toEqual([
      { name: 'b', lines: ['devnet only: .x'] },
      same('c'),
      { name: 'a', lines: [expect.any(String)] },
    ]);
  });
});

describe('the comparison of two answers', () => {
  const id = (digit: string) => `0x${digit.repeat(64)}`;
  const error = (message: string, code = -32002) => ({ error: { code, message } });

  it('ignores ids and versions in texts', () => {
    const text = (digit: string) => error(`Object (${id(digit)}, SequenceNumber(${digit}))`);
    expect(compareAnswers(text('1'), text('2'))).toEqual([]);
  });

  it('finds different codes, texts, data and fields', () => {
    expect(compareAnswers(error('a'), error('b'))).toHaveLength(2);
    expect(compareAnswers(error('a'), error('a', -32602))).toHaveLength(2);
    expect(compareAnswers(error('a'), { result: {} })).toHaveLength(2);
    expect(compareAnswers({ result: { a: 1 } }, { result: { a: '1' } })).toHaveLength(2);
    expect(compareAnswers({ result: { a: [{ b: 1 }] } }, { result: { a: [{}] } })).toEqual([
      'node only: .a[].b: number',
    ]);
    const status = (text: string) => ({ result: { status: { status: 'failure', error: text } } });
    expect(compareAnswers(status('x'), status('y'))).toHaveLength(2);
  });

  it('ignores entries if one of the lists is empty', () => {
    expect(compareAnswers({ result: { a: [{ b: 1 }] } }, { result: { a: [] } })).toEqual([]);
  });
});
