import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, inheritedEnvironment, waitUntil, Watchdog } from '@forecourt/testing/system';
import { ApiClient } from './api-client.js';
import type { BuiltApiServer } from './build-servers.js';

const START_MS = 120_000;

export interface ApiServer {
  readonly client: ApiClient;
  readonly stop: () => Promise<void>;
}

/**
 * Starts an etcd and a kube-apiserver on loopback, with data in a temporary folder, and waits until it is
 * ready.
 */
export async function startApiServer(
  etcd: string,
  { program }: BuiltApiServer,
): Promise<ApiServer> {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-kubernetes-'));
  const [port, clients, peers] = [await freePort(), await freePort(), await freePort()];
  const watchdog = new Watchdog();
  const children: ChildProcess[] = [];
  const start = (program: string, name: string, args: readonly string[]) => {
    const log = openSync(join(folder, `${name}.log`), 'a');
    const child = spawn(program, args, {
      env: inheritedEnvironment(),
      stdio: ['ignore', log, log],
    });
    watchdog.watch(child);
    children.push(child);
  };
  const stop = async () => {
    for (const child of children.toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    watchdog.close();
    rmSync(folder, { recursive: true });
  };

  const store = `http://127.0.0.1:${clients}`;
  start(etcd, 'etcd', [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${store}`,
    `--advertise-client-urls=${store}`,
    `--listen-peer-urls=http://127.0.0.1:${peers}`,
  ]);
  const token = randomBytes(24).toString('base64url');
  const key = join(folder, 'service-accounts.key');
  const tokens = join(folder, 'tokens.csv');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(key, privateKey.export({ type: 'sec1', format: 'pem' }), { mode: 0o600 });
  writeFileSync(tokens, `${token},verify,verify,system:masters\n`, { mode: 0o600 });
  start(program, 'kube-apiserver', [
    `--etcd-servers=${store}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${folder}`,
    `--token-auth-file=${tokens}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.96.0.0/16',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
    // No controller creates the service account of each namespace; no pod here mounts one.
    '--disable-admission-plugins=ServiceAccount',
  ]);

  const certificate = join(folder, 'apiserver.crt');
  try {
    await waitUntil(async () => hasEnded(children) || existsSync(certificate), {
      what: 'the certificate of kube-apiserver',
      timeoutMs: START_MS,
    });
    if (hasEnded(children)) throw new Error(endOf(folder));
    const url = `https://127.0.0.1:${port}`;
    const client = new ApiClient(url, readFileSync(certificate), token);
    await waitUntil(async () => hasEnded(children) || client.isUp('/readyz'), {
      what: 'kube-apiserver',
      timeoutMs: START_MS,
    });
    if (hasEnded(children)) throw new Error(endOf(folder));
    return { client, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

const hasEnded = (children: readonly ChildProcess[]) =>
  children.some(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null);

/** The last lines of both logs. */
function endOf(folder: string): string {
  const logs = ['etcd', 'kube-apiserver'].map((name) => {
    const lines = readFileSync(join(folder, `${name}.log`), 'utf8')
      .trimEnd()
      .split('\n');
    return `${name}:\n${lines.slice(-10).join('\n')}`;
  });
  return `etcd or kube-apiserver ended:\n${logs.join('\n')}`;
}
