import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A process that ends the registered processes once this process has ended, also after a kill. */
export class Watchdog {
  readonly #child: ChildProcess;

  constructor() {
    const program = fileURLToPath(new URL('../../bin/watchdog.mjs', import.meta.url));
    this.#child = spawn(process.execPath, [program], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      env: {},
    });
    this.#child.stdin!.on('error', () => {});
    this.#child.unref();
  }

  /** Watches a process until it ends. */
  watch(child: ChildProcess): void {
    this.#child.stdin!.write(`+${child.pid}\n`);
    child.once('exit', () => this.#child.stdin!.write(`-${child.pid}\n`));
  }

  /** Call it when every watched process has ended. */
  close(): void {
    this.#child.stdin!.end();
  }
}
