import { startSystem } from './start-system.js';
import type { System } from './system.js';
import type { SystemOptions } from './system-options.js';

/** The system that several test files use, one after the other. It exists from its first use on. */
export class SharedSystem {
  #name: string | null = null;
  #system: System | null = null;

  /**
   * The system of this name. Starts it with `options` and stops the one of another name, or else
   * starts the services again that an earlier test file has stopped.
   */
  async use(name: string, options: () => SystemOptions): Promise<System> {
    if (this.#name !== name) await this.stop();
    if (this.#system === null) {
      this.#system = await startSystem(options());
      this.#name = name;
      return this.#system;
    }
    const stopped = this.#system.processes.filter(({ running }) => !running);
    await Promise.all(stopped.map((service) => service.start()));
    return this.#system;
  }

  async stop(): Promise<void> {
    const stopped = this.#system?.stop();
    [this.#name, this.#system] = [null, null];
    await stopped;
  }
}
