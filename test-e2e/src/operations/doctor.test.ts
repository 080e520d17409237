import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { useStarted } from '@forecourt/testing/jest';
import { devnetControl, freePort } from '@forecourt/testing/system';
import { startDevnet } from '../support/start-devnet.js';
import { startOneMore } from '../support/start-one-more.js';

const FORECOURT = fileURLToPath(new URL('../../../apps/cli/bin/forecourt.mjs', import.meta.url));

const devnet = useStarted(startDevnet, (started) => started.stop());

function doctor(...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [FORECOURT, 'doctor', ...args], (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : 0;
      resolve({ code, output: `${stdout}${stderr}` });
    });
  });
}

const SPONSOR = `0x${'5'.repeat(64)}`;

/** A devnet over gRPC whose faults can be set. */
const overGrpc = useStarted(
  async () => {
    const [grpcPort, controlPort] = [String(await freePort()), String(await freePort())];
    const process = await startOneMore('devnet', (port) => ({
      DEVNET_RPC_PORT: port,
      DEVNET_GRPC_PORT: grpcPort,
      DEVNET_CONTROL_PORT: controlPort,
      DEVNET_FAUCET_PORT: 'off',
    }));
    const control = devnetControl(`http://127.0.0.1:${controlPort}`);
    return { url: `grpc://127.0.0.1:${grpcPort}`, control, process };
  },
  ({ process }) => process.stop(),
);

/** A busy machine delays larger answers as a node does. */
const LATENCY = 'latency of larger answers';

/** The subjects of the findings that are not fine, with their verdicts. */
async function faultsOf(...args: string[]): Promise<Record<string, string>> {
  const { output } = await doctor('--url', overGrpc.url, '--json', ...args);
  const findings = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { subject: string; verdict: string });
  const faulty = findings.filter(({ verdict }) => verdict !== 'fine');
  return Object.fromEntries(faulty.map(({ subject, verdict }) => [subject, verdict]));
}

describe('npm run forecourt -- doctor with a node that speaks gRPC', () => {
  afterEach(() => overGrpc.control.clearFaults());

  it('finds no fault, executes nothing, and tells how many transactions a sponsor pays for', async () => {
    await overGrpc.control.mint(SPONSOR, 1_000_000_000);
    await overGrpc.control.untilShown();
    const submitted = await overGrpc.control.submissions();
    const faults = await faultsOf('--sponsor', SPONSOR);
    expect({ ...faults, [LATENCY]: undefined }).toEqual({});
    const now = Object.keys(await overGrpc.control.submissions());
    expect(now.length).toBe(Object.keys(submitted).length + 1);
    const { output } = await doctor('--url', overGrpc.url, '--sponsor', SPONSOR);
    expect(output).toMatch(/1000000000 in 1 coins\s+Pays for about \d+ transactions/);
    expect(output).toMatch(/version +\w+[/-]/);
  });

  it.each<[string, Record<string, unknown>, Record<string, string>]>([
    [
      'serves no dry runs',
      { kind: 'httpReply', status: 404, method: 'iota_dryRunTransactionBlock' },
      { 'dry run': 'missing' },
    ],
    [
      'serves no submissions',
      { kind: 'httpReply', status: 404, method: 'iota_executeTransactionBlock' },
      { submission: 'missing' },
    ],
    [
      'serves no streams',
      { kind: 'httpReply', status: 404, method: 'StreamCheckpoints' },
      { 'stream of checkpoints': 'notice' },
    ],
    [
      'shows no objects',
      { kind: 'httpReply', status: 503, method: 'iota_multiGetObjects' },
      {
        objects: 'missing',
        'size of messages': 'notice',
        [LATENCY]: 'notice',
      },
    ],
    [
      'shows no transactions',
      { kind: 'httpReply', status: 404, method: 'iota_getTransactionBlock' },
      { 'executed transactions': 'missing' },
    ],
  ])('reports one that %s', async (_what, fault, expected) => {
    await overGrpc.control.mint(SPONSOR, 1);
    await overGrpc.control.untilShown();
    await overGrpc.control.fault(fault);
    expect(await faultsOf()).toMatchObject(expected);
  });
});

describe('npm run forecourt -- doctor', () => {
  it('finds every essential feature of a node, and how many transactions a sponsor’s balance pays for', async () => {
    const { code, output } = await doctor('--url', devnet.url, '--sponsor', SPONSOR);
    expect([code, output]).toEqual([0, expect.stringContaining('methods for sponsoring')]);
    expect(output).not.toContain('MISSING');
    expect(output).toContain('Pays for no transaction: fund the sponsor');
  });

  it('ends with 1 if a node does not respond', async () => {
    const { code, output } = await doctor('--url', 'http://127.0.0.1:9', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(output)).toMatchObject({ subject: 'node', verdict: 'missing' });
  });

  it('names an unknown argument', async () => {
    const { code, output } = await doctor('--node', 'x');
    expect(code).toBe(2);
    expect(output).toContain('--node');
  });
});
