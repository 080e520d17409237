export { readFailpoints } from './failpoints-config.js';
export { armFailpoints, type Failpoint, failpoints, passFailpoint } from './failpoints.js';
