import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { waitUntil } from '@forecourt/testing/system';
import type { ScriptCalls } from './record-calls.js';
import { ROOT, type Modules } from './read-calls.js';

const RECORDER = new URL('record-calls.js', import.meta.url);

/** Which modules of this repository a service runs, whose functions V8 counts. */
export class CallReader {
  readonly #folder = mkdtempSync(join(tmpdir(), 'forecourt-calls-'));
  readonly #file = join(this.#folder, 'calls.json');

  /** Loads the counter into a service that starts with these options of Node. */
  get nodeOptions(): string {
    const url = new URL(RECORDER);
    url.searchParams.set('file', this.#file);
    return `--import ${url.href}`;
  }

  /** The functions that a process calls at least `times` times during `work`, by their modules. */
  async during(pid: number, times: number, work: () => Promise<void>): Promise<Modules> {
    await this.take(pid);
    await work();
    const modules = new Map<string, Set<string>>();
    for (const script of await this.take(pid)) {
      for (const [module, name] of calledIn(script, times)) {
        modules.set(module, (modules.get(module) ?? new Set()).add(name));
      }
    }
    return modules;
  }

  close(): void {
    rmSync(this.#folder, { recursive: true });
  }

  /** The calls since the last one. */
  private async take(pid: number): Promise<readonly ScriptCalls[]> {
    rmSync(this.#file, { force: true });
    process.kill(pid, 'SIGUSR2');
    await waitUntil(async () => existsSync(this.#file));
    return JSON.parse(readFileSync(this.#file, 'utf8')) as ScriptCalls[];
  }
}

/**
 * Source file and name of each function of a script that was called so often; none for a script without a
 * source map.
 */
function calledIn({ url, functions }: ScriptCalls, times: number): [string, string][] {
  const called = functions.filter(({ ranges }) => ranges[0]!.count >= times);
  if (!url.startsWith(pathToFileURL(ROOT).href) || called.length === 0) return [];
  const path = fileURLToPath(url);
  if (!existsSync(`${path}.map`)) return [];
  const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')) as SourceMapPayload);
  const placeOf = placesIn(readFileSync(path, 'utf8'));
  return called.flatMap(({ functionName, ranges }): [string, string][] => {
    const entry = map.findEntry(...placeOf(ranges[0]!.startOffset));
    if (!('originalSource' in entry)) return [];
    return [[relative(ROOT, join(dirname(path), entry.originalSource)), functionName]];
  });
}

/** Returns line and column, from 0, of an offset in the text. */
function placesIn(text: string): (offset: number) => [line: number, column: number] {
  const begins = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  return (offset) => {
    const line = begins.findLastIndex((begin) => begin <= offset);
    return [line, offset - begins[line]!];
  };
}
