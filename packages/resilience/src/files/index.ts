export { makePrivateFolder, refuseLink, requireOwnFolder } from './own-folder.js';
export { writeSecret } from './write-secret.js';
