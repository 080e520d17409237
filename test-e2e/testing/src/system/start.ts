import type { Watchdog } from '../processes/watchdog.js';
import type { PortSource } from './ports.js';
import type { System } from './system.js';
import type { SystemOptions } from './system-options.js';

/** State that the steps of a start share. */
export interface Start {
  readonly system: System;
  readonly options: SystemOptions;
  readonly ports: PortSource;
  readonly watchdog: Watchdog;
  readonly env: NodeJS.ProcessEnv;
  readonly say: (step: string) => void;
}
