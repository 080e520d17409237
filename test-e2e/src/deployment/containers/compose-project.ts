import { join } from 'node:path';
import { type Finished, ROOT } from '@forecourt/testing/system';
import type { Docker } from './docker.js';

const PROJECT = 'forecourt-verify';
export const IMAGE = 'forecourt-verify';
const COMPOSE = join(ROOT, 'docker', 'compose.yaml');
const EXECUTORS = 3;
const UP_SECS = 180;
const LASTING = ['gateway', 'coin-pool', 'executor', 'events', 'history'];

export interface Container {
  readonly id: string;
  /** `executor-2` */
  readonly name: string;
  /** Number of restarts by the engine after the container ended without a kill. */
  readonly restarts: number;
  readonly isRunning: boolean;
}

/** docker/compose.yaml as a separate project. */
export class ComposeProject {
  constructor(private readonly docker: Docker) {}

  /** The arguments that select this project in a docker command. */
  get arguments(): readonly string[] {
    return ['compose', '--project-name', PROJECT, '--file', COMPOSE];
  }

  /** Throws `Error` if containers of an earlier run with `--keep` exist. */
  async requireNone(): Promise<void> {
    const all = await this.docker.run(['ps', '--all', '--quiet', ...LABELS]);
    if (all.trim() === '') return;
    throw new Error(
      `an earlier run was kept: remove it with docker compose --project-name ${PROJECT} down --volumes`,
    );
  }

  build(commit: string): Promise<string> {
    const file = join(ROOT, 'docker', 'Dockerfile');
    const argument = `BUILD_COMMIT=${commit}`;
    return this.docker.run([
      'build',
      '--file',
      file,
      '--build-arg',
      argument,
      '--tag',
      IMAGE,
      ROOT,
    ]);
  }

  /**
   * Creates and starts missing containers, and waits until all are healthy. Those that run once are not
   * waited for.
   */
  async up(): Promise<void> {
    const scale = ['--scale', `executor=${EXECUTORS}`];
    const wait = ['--wait', '--wait-timeout', String(UP_SECS)];
    await this.compose('up', '--detach', '--no-recreate', ...scale, ...wait, ...LASTING);
  }

  /** Has the first transaction sponsored, as `up` does by itself. Throws `Error` if it is not. */
  async sponsorFirst(): Promise<void> {
    await this.compose('up', '--detach', '--no-recreate', '--no-deps', 'first-coins');
    await this.compose('wait', 'first-coins');
    await this.compose('up', '--detach', '--no-recreate', '--no-deps', 'first-transaction');
    await this.compose('wait', 'first-transaction');
  }

  /** Removes the containers; secrets and data stay. */
  async down(): Promise<void> {
    await this.compose('down', '--timeout', '30');
  }

  async containers(): Promise<readonly Container[]> {
    const ids = await this.docker.run(['ps', '--all', '--quiet', '--no-trunc', ...LABELS]);
    const text = await this.docker.run(['inspect', ...ids.trim().split('\n')]);
    const inspected = JSON.parse(text) as Inspected[];
    return inspected
      .map(({ Id, Name, RestartCount, State }) => ({
        id: Id,
        name: Name.slice(`/${PROJECT}-`.length),
        restarts: RestartCount,
        isRunning: State.Running,
      }))
      .toSorted((a, b) => a.name.localeCompare(b.name));
  }

  /** Sends SIGKILL. The engine does not restart containers that were killed this way: `up` does. */
  async kill(containers: readonly Container[]): Promise<void> {
    await this.docker.run(['kill', '--signal', 'KILL', ...containers.map(({ id }) => id)]);
  }

  async stop(service: string): Promise<void> {
    await this.compose('stop', service);
  }

  /** Runs a program in the first running container of a service. */
  execute(service: string, command: readonly string[], input = ''): Promise<Finished> {
    return this.docker.try([...this.arguments, 'exec', '-T', service, ...command], input);
  }

  /**
   * Runs a program in a separate container, with the image, the volumes and the user of a stopped service.
   */
  async runInstead(service: string, [program, ...args]: readonly [string, ...string[]]) {
    const options = ['--rm', '--no-deps', '-T', '--entrypoint', program];
    await this.compose('run', ...options, service, ...args);
  }

  logs(): Promise<string> {
    return this.compose('logs', '--no-color', '--timestamps');
  }

  /** Removes the containers, the networks, the volumes and the image. */
  async remove(): Promise<void> {
    await this.compose('down', '--volumes', '--remove-orphans', '--timeout', '1');
    await this.docker.try(['image', 'rm', IMAGE]);
  }

  private compose(...args: readonly string[]): Promise<string> {
    return this.docker.run([...this.arguments, ...args]);
  }
}

const LABELS = [
  ['--filter', `label=com.docker.compose.project=${PROJECT}`],
  ['--filter', 'label=com.docker.compose.oneoff=False'],
].flat();

/** The fields of `docker inspect` that are read. */
interface Inspected {
  readonly Id: string;
  readonly Name: string;
  readonly RestartCount: number;
  readonly State: { readonly Running: boolean };
}
