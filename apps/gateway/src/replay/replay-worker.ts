import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { resolve } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { createIotaCodec } from '@forecourt/ledger';
import { type AccessRules, readAccessRules } from '@forecourt/policy/access';
import { TrafficReplay } from '@forecourt/policy/replay';
import { readAccessFiles } from '@forecourt/policy/tokens';
import type { ReplayAnswer, ReplayQuestion, ReplayTask } from './replay-messages.js';

// The program of the thread that decides in a replay. Rules of any cost hold up neither requests nor, at their end, the process.

/** Lower than the process's own priority by this. */
const NICER = 10;
const NICEST = 19;

/** Lets requests have the processors first. Linux alone has a priority for each thread. */
function yieldToRequests(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(NICEST, getPriority(thread) + NICER));
  } catch {
    // The replay competes with requests on equal terms.
  }
}

/** Throws `Error` when the files are not those that are in force. */
async function readInForce({ rulesFile, versions }: ReplayTask): Promise<AccessRules> {
  const read = await readAccessFiles(null, rulesFile, { isOffline: true });
  for (const [file, version] of read.versions) {
    if (versions.get(file) === version) continue;
    throw new Error(`${file} has changed and is not in force; reload it, or restore it, first`);
  }
  return read.rules;
}

function readProposed({ proposed: { rules, files } }: ReplayTask): Promise<AccessRules> {
  const given = new Map([...files].map(([path, bytes]) => [resolve('/', path), bytes]));
  const read = async (path: string) => {
    const bytes = given.get(path);
    if (bytes === undefined) {
      throw new Error(
        'a replay reads no files of the gateway; send it in files, or use the command line',
      );
    }
    return Buffer.from(bytes);
  };
  return readAccessRules(rules, '/rules.yaml', read, { isOffline: true });
}

async function open(task: ReplayTask): Promise<{
  readonly replay: TrafficReplay;
  readonly dryRun: { readonly inForce: boolean; readonly proposed: boolean };
}> {
  const inForce = await readInForce(task);
  const proposed = await readProposed(task).catch((cause: unknown) => {
    throw new Error(`The proposed rules cannot be used: ${(cause as Error).message}`, { cause });
  });
  const { tokens, settings } = task;
  const replay = new TrafficReplay({
    inForce,
    proposed,
    tokens,
    settings,
    codec: createIotaCodec(),
  });
  return { replay, dryRun: { inForce: inForce.dryRun, proposed: proposed.dryRun } };
}

const port = parentPort!;
const answer = (message: ReplayAnswer) => port.postMessage(message);
yieldToRequests();
try {
  const { replay, dryRun } = await open(workerData as ReplayTask);
  port.on('message', (records: ReplayQuestion) => {
    void (async () => {
      if (records === null) {
        const { skipped } = replay;
        return answer({ kind: 'report', report: replay.report(), skipped, dryRun });
      }
      for (const record of records) await replay.add(record);
      answer({ kind: 'decided' });
    })();
  });
  answer({ kind: 'ready' });
} catch (error) {
  answer({ kind: 'invalid', problem: (error as Error).message });
}
