import { closeSync, mkdirSync, openSync, write, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** This many buffered characters are written at once. */
const WRITE_AT = 15 * 1024;
/**
 * Longest delay of a line, which is written together with others. Each write wakes a process that is not
 * busy, so that standard output, the log, waits longer.
 */
const FILE_AFTER_MS = 10;
const OUTPUT_AFTER_MS = 100;
const RETRY_MS = 1_000;
/** Lines that wait for a disk or a reader, in bytes; further ones are lost. */
const MAX_WAITING = 4 * 2 ** 20;
const STANDARD_OUTPUT = 1;

type Done = (error: NodeJS.ErrnoException | null, written: number) => void;
type Write = (descriptor: number, bytes: Buffer, done: Done) => void;

const writeNow: Write = (descriptor, bytes, done) => {
  let written: number;
  try {
    written = writeSync(descriptor, bytes);
  } catch (error) {
    return done(error as NodeJS.ErrnoException, 0);
  }
  done(null, written);
};

/** Called when writing begins to fail, and when it works again after `lost` lines were dropped. */
export interface LineFileEvents {
  readonly onFailure?: (error: Error) => void;
  readonly onRecovery?: (lost: number) => void;
}

/**
 * Appends lines to a file or to standard output, and goes on where that fails: what was not written is tried
 * again every second, and lines beyond 4 MiB are dropped. No method throws, and none waits for a disk that is
 * full.
 */
export class LineFile {
  /** Writes that failed, repeated ones included. */
  errors = 0;
  isFailing = false;
  #gathered = '';
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #isWriting = false;
  /** Files of which a write may be in progress. */
  #former: number[] = [];
  #lost = 0;
  #timer: NodeJS.Timeout | undefined;

  private constructor(
    private descriptor: number,
    private readonly writeBytes: Write,
    private readonly afterMs: number,
    private readonly events: LineFileEvents,
  ) {
    process.on('exit', () => this.end());
  }

  /** Writes in the same turn, so that only a killed process loses lines, those of its last 100 ms. */
  static standardOutput(events: LineFileEvents = {}): LineFile {
    return new LineFile(STANDARD_OUTPUT, writeNow, OUTPUT_AFTER_MS, events);
  }

  /** Creates the file and its folder if necessary. Throws `Error` where it cannot be opened. */
  static open(path: string, events: LineFileEvents): LineFile {
    mkdirSync(dirname(path), { recursive: true });
    return new LineFile(openSync(path, 'a'), write, FILE_AFTER_MS, events);
  }

  write(line: string): void {
    this.#gathered += line;
    if (this.#gathered.length >= WRITE_AT) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), this.afterMs).unref();
  }

  /** Begins to write everything that was gathered. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.gather();
    if (!this.isFailing) this.writeWaiting();
  }

  /**
   * Goes on with the file that has this path now, as after a rotation. Throws `Error` where it cannot be
   * opened.
   */
  reopen(path: string): void {
    const opened = openSync(path, 'a');
    this.#former.push(this.descriptor);
    this.descriptor = opened;
    if (!this.#isWriting) this.closeFormer();
  }

  private gather(): void {
    const bytes = Buffer.from(this.#gathered);
    this.#gathered = '';
    if (bytes.length === 0) return;
    if (this.#waitingBytes + bytes.length > MAX_WAITING) {
      this.#lost += countLines(bytes);
      return;
    }
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
  }

  private writeWaiting(): void {
    if (this.#isWriting || this.#waiting.length === 0) return;
    const bytes = Buffer.concat(this.#waiting);
    this.#waiting = [bytes];
    this.#isWriting = true;
    this.writeBytes(this.descriptor, bytes, (error, written) => {
      this.#isWriting = false;
      this.closeFormer();
      this.keepRest(bytes, written);
      if (error === null) this.succeed();
      else this.fail(error);
    });
  }

  private closeFormer(): void {
    for (const descriptor of this.#former) closeSync(descriptor);
    this.#former = [];
  }

  private keepRest(bytes: Buffer, written: number): void {
    const [, ...later] = this.#waiting;
    const rest = bytes.subarray(written);
    this.#waiting = rest.length > 0 ? [rest, ...later] : later;
    this.#waitingBytes -= written;
  }

  private succeed(): void {
    if (this.isFailing) {
      this.isFailing = false;
      this.events.onRecovery?.(this.#lost);
      this.#lost = 0;
    }
    this.writeWaiting();
  }

  private fail(error: Error): void {
    this.errors += 1;
    setTimeout(() => this.writeWaiting(), RETRY_MS).unref();
    if (this.isFailing) return;
    this.isFailing = true;
    this.events.onFailure?.(error);
  }

  /** One attempt: a process ends although its disk is full. */
  private end(): void {
    this.gather();
    if (this.#isWriting || this.#waiting.length === 0) return;
    writeNow(this.descriptor, Buffer.concat(this.#waiting), () => undefined);
  }
}

function countLines(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) if (byte === 0x0a) count += 1;
  return count;
}
