export { makePrivateFolder, refuseLink, requireOwnFolder } from './own-folder.js';
export { UnsafePlace } from './unsafe-place.js';
export { writeSecret } from './write-secret.js';
