export { readFailpoints } from './failpoints-config.js';
export { type Failpoint, failpoints } from './failpoints.js';
export { armFailpoints, passFailpoint } from './pass-failpoint.js';
