import type { DevnetConfig } from './devnet-config.js';

/** The configuration, as an injectable class. */
export class DevnetSettings {
  constructor(readonly config: DevnetConfig) {}
}
