import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** What a container used when nobody asked for anything, on average. */
export interface ContainerUse {
  readonly id: string;
  readonly percentOfCore: number;
  /** As the engine counts it, at the last look. */
  readonly memory: string;
}

/** What is read of a line of `docker stats`. */
interface Sample {
  readonly ID: string;
  readonly CPUPerc: string;
  readonly MemUsage: string;
}

/** Looks at containers for some time, about once in a second. */
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
  // Some versions do not end at SIGTERM.
  child.kill('SIGKILL');
  await ended;
  return averageSamples(output, ids);
}

/** Averages what `docker stats` printed. Throws `Error` when it says nothing of a container. */
export function averageSamples(output: string, ids: readonly string[]): readonly ContainerUse[] {
  const samples = output
    .split('\n')
    // It clears the terminal before each look, and the last line may be cut.
    .map((line) => /\{.*\}/.exec(line)?.[0])
    .filter((json) => json !== undefined)
    .map((json) => JSON.parse(json) as Sample);
  return ids.map((id) => {
    const own = samples.filter(({ ID, CPUPerc }) => ID === id && /^[\d.]+%$/.test(CPUPerc));
    const last = own.at(-1);
    if (!last) throw new Error(`docker stats says nothing of ${id}`);
    const sum = own.reduce((total, { CPUPerc }) => total + Number.parseFloat(CPUPerc), 0);
    const memory = last.MemUsage.split(' / ')[0]!;
    return { id, memory, percentOfCore: sum / own.length };
  });
}
