export { inheritedEnvironment } from '../processes/inherited-environment-config.js';
export { type App, appProgram, DATA, ROOT } from '../processes/paths.js';
export { type Finished, runApp } from '../processes/run-app.js';
export { type ServiceOptions, ServiceProcess } from '../processes/service-process.js';
export { startService } from '../processes/start-service.js';
export { Watchdog } from '../processes/watchdog.js';
export { freePort, type RedisServer, startRedisServer } from '../redis/index.js';
export { readUsersTemplate, type RedisUser } from '../redis-users/read-users-template.js';
export { RedisCredentials } from '../redis-users/redis-credentials.js';
export { partial } from '../jest/partial.js';
export { type DevnetControl, devnetControl } from './devnet-control.js';
export type { NodeBehaviour } from './node-behaviour.js';
export { fundSponsor } from './fund-sponsor.js';
export { defaultPorts } from './ports.js';
export { SharedSystem } from './shared-system.js';
export {
  createSponsorKey,
  loadOrCreateSponsorKeys,
  readSponsorKey,
  type SponsorKey,
} from './sponsor-key.js';
export { startSystem } from './start-system.js';
export type { System } from './system.js';
export type { SystemOptions } from './system-options.js';
export { waitUntil } from '../wait-until.js';
