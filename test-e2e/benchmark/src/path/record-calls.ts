import { renameSync, writeFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector';

/*
 * Preloaded into a service with `?file=<path>`: at each SIGUSR2 it writes into that file, as JSON, how often
 * each function was called since the signal before.
 */

/** A program's text as V8 names it, and its functions. */
export type ScriptCalls = Pick<Profiler.ScriptCoverage, 'url' | 'functions'>;

const file = new URL(import.meta.url).searchParams.get('file')!;
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
process.on('SIGUSR2', () => {
  session.post('Profiler.takePreciseCoverage', (error, taken) => {
    if (error) throw error;
    // The reader never sees a part of it.
    writeFileSync(`${file}.part`, JSON.stringify(taken.result));
    renameSync(`${file}.part`, file);
  });
});
