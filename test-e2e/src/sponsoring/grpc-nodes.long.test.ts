import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort } from '@forecourt/testing/system';
import { system } from '../support/systems/grpc-system.js';
import { sponsorAsNodeDies } from './sponsor-as-node-dies.js';
import { TcpRelay } from './tcp-relay.js';

const SERVICES = ['coin-pool', 'executor', 'gateway'] as const;
const FORECOURT = fileURLToPath(new URL('../../../apps/cli/bin/forecourt.mjs', import.meta.url));
/** The certificate names 127.0.0.1, and its key is not secret. */
const certificate = (file: string) =>
  fileURLToPath(new URL(`../chaos/certificates/${file}`, import.meta.url));

const nodeUrl = () => system.services('executor')[0]!.options.env['LEDGER_URL']!;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

/** Starts the services with these nodes until the end of the test. */
async function useNodes(urls: readonly string[]): Promise<void> {
  for (const app of SERVICES) {
    for (const service of system.services(app)) {
      await service.stop();
      // The next test starts them with their usual node.
      ends.push(async () => {
        await service.stop();
        await service.start();
      });
      await service.start({ LEDGER_URL: urls.join(',') });
    }
  }
}

describe.each(['gRPC', 'JSON-RPC'])('a list that prefers a node over %s', (preferred) => {
  it('continues with the other dialect without a failed request if that node dies under load', async () => {
    const [grpc, json] = [nodeUrl(), system.ledgerUrl];
    const [first, second] = preferred === 'gRPC' ? [grpc, json] : [json, grpc];
    const relay = await TcpRelay.start(first);
    ends.push(() => relay.die());
    const scheme = new URL(first).protocol;
    await useNodes([relay.url.replace('http:', scheme), second]);
    await system.untilFilled();
    await sponsorAsNodeDies(system, relay, { clients: 4, transactions: 24 });
  });
});

describe('a node over gRPC with TLS', () => {
  /** Ends TLS in front of the node, as a provider does. */
  async function aProvider(): Promise<string> {
    const { port, hostname } = new URL(nodeUrl());
    const credentials = {
      cert: readFileSync(certificate('server.crt')),
      key: readFileSync(certificate('server.key')),
    };
    const server = createServer({ ...credentials, ALPNProtocols: ['h2'] }, (socket) => {
      const node = connect(Number(port), hostname);
      socket.on('error', () => node.destroy()).on('close', () => node.destroy());
      node.on('error', () => socket.destroy()).on('close', () => socket.destroy());
      socket.pipe(node).pipe(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ends.push(() => server.close());
    return `grpcs://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  function doctor(url: string, env: NodeJS.ProcessEnv): Promise<{ code: number; output: string }> {
    return new Promise((resolve) => {
      const options = { env: { ...process.env, ...env } };
      execFile(process.execPath, [FORECOURT, 'doctor', '--url', url], options, (error, ...texts) =>
        resolve({ code: Number(error?.code ?? 0), output: texts.join('') }),
      );
    });
  }

  it('is used with a private authority and with headers as metadata, and not without them', async () => {
    const url = await aProvider();
    await system.control.behaveLike({ requiredHeaders: { 'x-api-key': 'k1' } });
    ends.push(() => system.control.resetBehaviour());
    const trusted = { NODE_EXTRA_CA_CERTS: certificate('ca.crt') };
    const headers = { LEDGER_HEADERS: 'X-Api-Key: k1' };
    const full = await doctor(url, { ...trusted, ...headers });
    expect([full.code, full.output]).toEqual([0, expect.stringContaining('submission')]);
    const anonymous = await doctor(url, trusted);
    expect([anonymous.code, anonymous.output]).toEqual([
      1,
      expect.stringContaining('LEDGER_HEADERS'),
    ]);
    expect((await doctor(url, headers)).code).toBe(1);
    expect((await doctor(`grpcs://127.0.0.1:${await freePort()}`, trusted)).code).toBe(1);
  });
});
