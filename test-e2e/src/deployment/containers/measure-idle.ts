import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** Average usage of an idle container. */
export interface ContainerUse {
  readonly id: string;
  readonly percentOfCore: number;
  /** As the engine counts it, in the last sample. */
  readonly memory: string;
}

/** The fields of a line of `docker stats` that are read. */
interface Sample {
  readonly ID: string;
  readonly CPUPerc: string;
  readonly MemUsage: string;
}

/** Samples containers for some time, about once per second. */
export async function measureIdle(
  ids: readonly string[],
  seconds: number,
): Promise<readonly ContainerUse[]> {
  const args = ['stats', '--no-trunc', '--format', '{{json .}}', ...ids];
  const child = spawn('docker', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += String(chunk)));
  const ended = once(child, 'close');
  await Promise.race([ended, delay(seconds * 1_000)]);
  if (child.exitCode !== null) throw new Error(`docker stats ended with ${child.exitCode}`);
  // Some versions ignore SIGTERM.
  child.kill('SIGKILL');
  await ended;
  return averageSamples(output, ids);
}

/** Averages the output of `docker stats`. Throws `Error` if a container is missing in it. */
export function averageSamples(output: string, ids: readonly string[]): readonly ContainerUse[] {
  const samples = output
    .split('\n')
    // It clears the terminal before each sample, and the last line may be truncated.
    .map((line) => /\{.*\}/.exec(line)?.[0])
    .filter((json) => json !== undefined)
    .map((json) => JSON.parse(json) as Sample);
  return ids.map((id) => {
    const own = samples.filter(({ ID, CPUPerc }) => ID === id && /^[\d.]+%$/.test(CPUPerc));
    const last = own.at(-1);
    if (!last) throw new Error(`docker stats shows no figures of ${id}`);
    const sum = own.reduce((total, { CPUPerc }) => total + Number.parseFloat(CPUPerc), 0);
    const memory = last.MemUsage.split(' / ')[0]!;
    return { id, memory, percentOfCore: sum / own.length };
  });
}
