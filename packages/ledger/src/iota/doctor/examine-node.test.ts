import { afterEach, describe, expect, it } from '@jest/globals';
import {
  aCheckpoint,
  type ReceivedCall,
  type Response,
  StandInNode,
} from '../nodes/stand-in-node.test-support.js';
import { examineNode } from './examine-node.js';
import type { Finding } from './check.js';

const DAY_MS = 86_400_000;
const SPONSOR = `0x${'5'.repeat(64)}`;

let node: StandInNode | undefined;
afterEach(() => node?.stop());

type Answers = Readonly<Record<string, (call: ReceivedCall) => Response>>;

const checkpoint = (number: number) => aCheckpoint(number, Date.now() - 400);
const state = (more: object = {}) => ({
  epoch: '7',
  protocolVersion: '20',
  referenceGasPrice: '1000',
  epochStartTimestampMs: String(Date.now() - DAY_MS / 2),
  epochDurationMs: String(DAY_MS),
  safeMode: false,
  ...more,
});

/** Answers of a node without faults to each method with parameters. */
const USUAL: Answers = {
  'rpc.discover': () => ({ result: { info: { version: '1.15.0' } } }),
  iota_getChainIdentifier: () => ({ result: 'a1b2c3d4' }),
  iota_getProtocolConfig: () => ({ result: { maxSupportedProtocolVersion: '20' } }),
  iotax_getLatestIotaSystemStateV2: () => ({ result: { V2: state() } }),
  iota_dryRunTransactionBlock: () => ({
    error: { code: -32602, message: 'Gas price 1000 under reference gas price (RGP) 2000' },
  }),
  iota_multiGetObjects: ({ params: [ids] }) => ({
    result: (ids as string[]).map(() => ({ error: { code: 'notExists' } })),
  }),
  iotax_queryTransactionBlocks: () => ({
    // The newest transaction is in no checkpoint yet.
    result: { data: [{}, { checkpoint: '9' }, { checkpoint: '9' }, { checkpoint: '8' }] },
  }),
  iota_getCheckpoints: () => ({ result: { data: [checkpoint(0)] } }),
  iota_getCheckpoint: ({ params: [number] }) => ({ result: checkpoint(Number(number)) }),
  iota_getLatestCheckpointSequenceNumber: () => ({ result: '9' }),
  iota_getTransactionBlock: () => ({ result: { digest: 'D', objectChanges: [] } }),
  iota_multiGetTransactionBlocks: () => ({ result: [] }),
  iotax_getReferenceGasPrice: () => ({ result: '1000' }),
  iotax_getBalance: () => ({ result: { coinObjectCount: 3, totalBalance: '5000000000' } }),
};
const OTHERS = [
  'iota_executeTransactionBlock',
  'iota_getProtocolConfig',
  'iotax_getCoins',
  'iotax_queryEvents',
];

/** The findings about a node that differs from a healthy one in these answers, by subject. */
async function examine(
  answers: Answers = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<string, Finding>> {
  node = await StandInNode.start((call) => {
    const answer = answers[call.method] ?? USUAL[call.method];
    const needsParams = call.method === 'iota_multiGetObjects' && call.params.length === 0;
    if (answer && !needsParams) return answer(call);
    const isKnown = needsParams || OTHERS.includes(call.method);
    return { error: { code: isKnown ? -32602 : -32601, message: 'Invalid params' } };
  }, null);
  const findings = new Map<string, Finding>();
  for await (const finding of examineNode({ url: node.url, headers }, [SPONSOR])) {
    findings.set(finding.subject, finding);
  }
  return findings;
}

describe('examineNode', () => {
  it('finds no fault in a complete node', async () => {
    const findings = await examine();
    const verdicts = new Set([...findings.values()].map(({ verdict }) => verdict));
    expect(verdicts).toEqual(new Set(['fine']));
    expect(findings.get('network')?.answer).toBe('a1b2c3d4');
    expect(findings.get('epoch')?.answer).toBe('7, ends in 12.0 h');
    expect(findings.get('protocol')?.consequence).toContain('until the epoch ends');
    expect(findings.get(`sponsor ${SPONSOR}`)).toMatchObject({
      answer: '5000000000 in 3 coins',
      consequence: expect.stringContaining('Pays for about 2524 transactions'),
    });
  });

  it('only reads: no transaction is executed', async () => {
    await examine();
    const executed = node!.calls.filter(({ method }) => method === 'iota_executeTransactionBlock');
    for (const { params } of executed) expect(params).toEqual([]);
  });

  it('returns one finding for a node that does not respond', async () => {
    const gone = await StandInNode.start(() => 'silence', null);
    await gone.stop();
    const findings = [];
    for await (const finding of examineNode({ url: gone.url, headers: {} }, [])) {
      findings.push(finding);
    }
    expect(findings).toMatchObject([{ subject: 'node', verdict: 'missing' }]);
  });

  it('names absent methods and their consequences', async () => {
    const absent = () => ({ error: { code: -32601, message: 'Method not found' } });
    const findings = await examine({ iotax_getCoins: absent, iotax_queryEvents: absent });
    expect(findings.get('methods for sponsoring')).toMatchObject({
      verdict: 'missing',
      answer: 'absent: iotax_getCoins',
    });
    expect(findings.get('methods for events')?.verdict).toBe('notice');
  });

  it.each<[string, Answers, string, string]>([
    [
      'a pruned node',
      { iota_getCheckpoints: () => ({ result: { data: [checkpoint(41_000)] } }) },
      'lowest checkpoint',
      '41000',
    ],
    [
      'objects that are pruned',
      {
        iota_getTransactionBlock: () => ({
          result: { digest: 'D', errors: ['object not found'] },
        }),
      },
      'objects of the lowest checkpoint',
      'object not found',
    ],
    [
      'an index in the order of the node’s own execution',
      {
        iotax_queryTransactionBlocks: () => ({
          result: { data: [{ checkpoint: '8' }, { checkpoint: '9' }] },
        }),
      },
      'order of the index',
      'not by checkpoint',
    ],
    [
      'an epoch that should have ended',
      {
        iotax_getLatestIotaSystemStateV2: () => ({
          result: { V2: state({ epochStartTimestampMs: String(Date.now() - 2 * DAY_MS) }) },
        }),
      },
      'epoch',
      'should have ended 24.0 h ago',
    ],
    [
      'a clock that differs',
      {
        iota_getCheckpoint: () => ({
          result: { ...checkpoint(9), timestampMs: String(Date.now() + 60_000) },
        }),
      },
      'newest checkpoint',
      '-60.0 s old',
    ],
    [
      'a small page',
      { iota_multiGetObjects: () => ({ error: { code: -32602, message: 'limit of 20' } }) },
      'page limits',
      'limit of 20',
    ],
  ])('reports %s', async (_what, answers, subject, answer) => {
    const finding = (await examine(answers)).get(subject);
    expect(finding?.verdict).toBe('notice');
    expect(finding?.answer).toContain(answer);
  });

  it('names the criteria of event queries that the node has no index for', async () => {
    const text =
      'Error checking transaction input objects: Unsupported("Some(ChangedObject(0x0))")';
    const findings = await examine({
      iotax_queryTransactionBlocks: (call) =>
        JSON.stringify(call.params).includes('ChangedObject')
          ? { error: { code: -32602, message: text } }
          : USUAL['iotax_queryTransactionBlocks']!(call),
    });
    expect(findings.get('criterion Object')).toMatchObject({
      verdict: 'notice',
      answer: 'not answered: no index for ChangedObject',
    });
    expect(findings.get('criterion Sender')).toMatchObject({ verdict: 'fine' });
  });

  it('advises on a call that the node does not serve over JSON-RPC', async () => {
    const findings = await examine({
      iota_dryRunTransactionBlock: () => ({ error: { code: -32601, message: 'Unknown method' } }),
    });
    expect(findings.get('dry run')).toMatchObject({
      verdict: 'missing',
      answer: 'not served',
      consequence: expect.stringMatching(/every dry run\. Use a node that serves it$/),
    });
  });

  it('estimates the duration of queries that read every checkpoint', async () => {
    const findings = await examine({
      iota_getCheckpoints: ({ params }) => ({
        result: { data: [checkpoint(params[2] ? 900_000_000 : 0)] },
      }),
    });
    expect(findings.get('other EventType and Recipient')).toMatchObject({
      verdict: 'notice',
      answer: expect.stringMatching(/^not answered: about \d+ s for 900000001 checkpoints/),
      consequence: expect.stringContaining('may take 30 s'),
    });
  });

  it('reports short locks where transactions are not certified', async () => {
    const newer = () => ({ result: { V2: state({ protocolVersion: '32' }) } });
    const findings = await examine({ iotax_getLatestIotaSystemStateV2: newer });
    expect(findings.get('protocol')?.consequence).toContain('12 s');
  });

  it('detects that the node requires headers', async () => {
    const guarded = ({ headers }: ReceivedCall): Response =>
      headers['x-api-key'] ? { result: 'a1b2c3d4' } : { status: 401 };
    const findings = await examine({ iota_getChainIdentifier: guarded }, { 'x-api-key': 'k' });
    expect(findings.get('headers')?.answer).toContain('required');
  });

  it('detects that the node limits calls', async () => {
    let calls = 0;
    const limited = (): Response =>
      (calls += 1) % 30 === 0
        ? { status: 429, headers: { 'retry-after': '0' } }
        : { result: 'a1b2c3d4' };
    const findings = await examine({ iota_getChainIdentifier: limited });
    expect(findings.get('rate limit')).toMatchObject({ verdict: 'notice' });
  });
});
