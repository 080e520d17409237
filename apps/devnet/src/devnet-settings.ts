import type { DevnetConfig } from './devnet-config.js';

/** The configuration in a form that can be injected. */
export class DevnetSettings {
  constructor(readonly config: DevnetConfig) {}
}
