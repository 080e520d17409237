export { TemporaryFolder } from './temporary-folder.js';
export { useStarted } from './use-started.js';
