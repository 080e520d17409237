import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, waitUntil } from '@forecourt/testing/system';

interface AlertsReply {
  readonly data: {
    readonly alerts: readonly {
      readonly state: 'pending' | 'firing';
      readonly labels: Readonly<Record<string, string>>;
    }[];
  };
}

/** A separate Prometheus that scrapes every second. */
export class Prometheus {
  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
    private readonly url: string,
  ) {}

  /** `targets`: `host:port` of each scraped service, at `/metrics`. Throws if it does not start. */
  static async start(rules: string, targets: readonly string[]): Promise<Prometheus> {
    const folder = mkdtempSync(join(tmpdir(), 'forecourt-prometheus-'));
    const address = `127.0.0.1:${await freePort()}`;
    writeFileSync(join(folder, 'alerts.yaml'), rules);
    writeFileSync(
      join(folder, 'prometheus.yaml'),
      JSON.stringify({
        global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
        rule_files: ['alerts.yaml'],
        scrape_configs: [{ job_name: 'forecourt', static_configs: [{ targets }] }],
      }),
    );
    const child = spawn(
      'prometheus',
      [
        `--config.file=${join(folder, 'prometheus.yaml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=${address}`,
        '--log.level=error',
      ],
      { stdio: ['ignore', 'inherit', 'inherit'] },
    );
    await once(child, 'spawn');
    const prometheus = new Prometheus(child, folder, `http://${address}`);
    await waitUntil(() => prometheus.isReady());
    return prometheus;
  }

  /** Names of the alerts that are firing. */
  async listFiring(): Promise<ReadonlySet<string>> {
    const response = await fetch(`${this.url}/api/v1/alerts`);
    const { data } = (await response.json()) as AlertsReply;
    const firing = data.alerts.filter(({ state }) => state === 'firing');
    return new Set(firing.map(({ labels }) => labels['alertname']!));
  }

  async stop(): Promise<void> {
    if (this.process.exitCode === null) {
      this.process.kill();
      await once(this.process, 'exit');
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async isReady(): Promise<boolean> {
    const response = await fetch(`${this.url}/-/ready`).catch(() => null);
    return response?.status === 200;
  }
}
