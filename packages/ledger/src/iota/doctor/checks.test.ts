import { describe, expect, it } from '@jest/globals';
import { examineNode } from './examine-node.js';
import type { Finding } from './check.js';
import { type Differences, startRecordedNode } from './recorded-grpc-node.test-support.js';
import { endAfterEachTest } from '../grpc/raw-node.test-support.js';

endAfterEachTest();

const SPONSOR = `0x${'5'.repeat(64)}`;

async function examine(differences: Differences = {}): Promise<ReadonlyMap<string, Finding>> {
  const url = await startRecordedNode(differences);
  const findings = new Map<string, Finding>();
  for await (const finding of examineNode({ url, headers: {} }, [SPONSOR])) {
    findings.set(finding.subject, finding);
  }
  return findings;
}

/** It was recorded long ago. */
const AGE = 'newest checkpoint';
/** A busy machine delays larger answers too. */
const LATENCY = 'latency of larger answers';

describe('examineNode over gRPC', () => {
  it('finds no fault in a node of version 1.21, and names its version', async () => {
    const findings = await examine({ lacks: ['object_changes', 'balance_changes'] });
    const faults = [...findings.values()].filter(({ verdict }) => verdict !== 'fine');
    const subjects = faults.map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject !== LATENCY)).toEqual([AGE]);
    expect(findings.get('version')?.answer).toBe('iota-node/unknown, network unknown');
    expect(findings.get('protocol')?.answer).toBe('23');
    expect(findings.get('epoch')?.answer).toBe('0, its end is unknown');
    expect(findings.get(`sponsor ${SPONSOR}`)?.answer).toMatch(/in 3 coins$/);
  });

  /** Of a finding: its subject, verdict, answer and what to do. */
  type Expected = readonly [string, Finding['verdict'], RegExp, RegExp];
  const UPGRADE = /upgrade the older of the two/;
  const unread = (answer: RegExp): Expected => [
    'submission',
    'missing',
    answer,
    /form in which they are sent.*over JSON-RPC/,
  ];
  const unserved = (subject: string, lost: RegExp): Expected => [
    subject,
    'missing',
    /^not served$/,
    lost,
  ];

  it.each<[string, Differences, readonly Expected[]]>([
    [
      'is of a version that lacks fields of transactions',
      { lacks: ['effects'] },
      [
        ['executed transactions', 'missing', /^unknown field effects/, UPGRADE],
        ['stream of checkpoints', 'notice', /^unknown field transactions\.effects/, UPGRADE],
        ['dry run', 'missing', /^unknown field executed_transaction\.effects/, UPGRADE],
        ['submission', 'missing', /^unknown field effects/, UPGRADE],
      ],
    ],
    [
      'is of a version that lacks fields of objects and of the service',
      { lacks: ['bcs', 'server'] },
      [
        ['objects', 'missing', /^unknown field bcs/, UPGRADE],
        ['coins of an owner', 'missing', /^unknown field bcs/, UPGRADE],
        ['version', 'notice', /^not reported/, /./],
      ],
    ],
    [
      'reads signatures in another form',
      { answers: { ExecuteTransactions: 'execute-error/signature-without-prefix' } },
      [unread(/missing signature scheme flag/)],
    ],
    [
      'reads transactions in another form',
      { answers: { ExecuteTransactions: 'execute-error/trailing-byte' } },
      [unread(/remaining input/)],
    ],
    [
      'takes a valid signature for an invalid one',
      { answers: { ExecuteTransactions: 'execute-error/corrupt-signature' } },
      [unread(/Signature is not valid/)],
    ],
    [
      'claims to execute what no ledger executes',
      { answers: { ExecuteTransactions: 'execute/coin-transfer' } },
      [['submission', 'missing', /./, /do not use it|another node/]],
    ],
    [
      'answers a dry run with the effects of another transaction',
      { answers: { SimulateTransactions: 'simulate/arithmetic-error' } },
      [['dry run', 'missing', /^the answer cannot be used: .*another call/, UPGRADE]],
    ],
    [
      'serves reads only',
      { answers: { ExecuteTransactions: null, SimulateTransactions: null } },
      [unserved('submission', /Nothing can be sponsored/), unserved('dry run', /every dry run/)],
    ],
    [
      'serves neither coins nor events, and is not up to date',
      {
        answers: {
          ListOwnedObjects: null,
          StreamCheckpoints: null,
          GetHealth: 'health/threshold-0',
        },
      },
      [
        unserved('coins of an owner', /No pool can be filled/),
        ['stream of checkpoints', 'notice', /^not served$/, /Not usable for events/],
        ['health', 'notice', /beyond the threshold/, /caught up/],
      ],
    ],
    [
      'is pruned',
      { answers: { GetServiceInfo: 'pruned-net/info' }, prunesVersions: true },
      [
        ['lowest checkpoint', 'notice', /^3347$/, /add a node/],
        ['lowest checkpoint of objects', 'notice', /^3922$/, /keep an index/],
        ['former versions of objects', 'notice', /^pruned/, /keep former versions longer/],
      ],
    ],
    [
      'holds larger answers back',
      { heldBackMs: 45 },
      [[LATENCY, 'notice', /^p25 \d\d\.\d ms, of a small/, /TCP_NODELAY/]],
    ],
  ])('reports a node that %s', async (_what, differences, expected) => {
    const findings = await examine(differences);
    const seen = expected.map(([subject]) => {
      const { verdict, answer, consequence } = findings.get(subject)!;
      return [subject, verdict, answer, consequence];
    });
    expect(seen).toEqual(
      expected.map(([subject, verdict, answer, remedy]) => [
        subject,
        verdict,
        expect.stringMatching(answer),
        expect.stringMatching(remedy),
      ]),
    );
  });

  it('returns one finding for a node that does not respond', async () => {
    const findings: Finding[] = [];
    for await (const finding of examineNode({ url: 'grpc://127.0.0.1:1', headers: {} }, [])) {
      findings.push(finding);
    }
    expect(findings).toMatchObject([{ subject: 'node', verdict: 'missing' }]);
  });
});
