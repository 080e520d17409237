import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { System } from '@forecourt/testing/system';

/** Processor time by process, in seconds. */
export type ProcessorTime = ReadonlyMap<string, number>;

const USER_TIME = 11;
const SYSTEM_TIME = 12;
let ticksPerSecond: number | undefined;

/** Processor time that every process of a system has used so far (Linux). */
export function processorTime({ processes, redis }: System): ProcessorTime {
  const pids = processes.map(({ name, pid }) => [name, pid!] as const);
  return new Map(
    [...pids, ['redis', redis!.pid!] as const].map(([name, pid]) => [name, ofProcess(pid)]),
  );
}

/** Processor time used between two readings. */
export function usedBetween(before: ProcessorTime, after: ProcessorTime): Map<string, number> {
  return new Map([...after].map(([name, seconds]) => [name, seconds - before.get(name)!]));
}

/** Processor time that one process has used so far, in seconds (Linux). */
export function ofProcess(pid: number): number {
  ticksPerSecond ??= Number(execFileSync('getconf', ['CLK_TCK']).toString());
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The preceding name may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) / ticksPerSecond;
}
