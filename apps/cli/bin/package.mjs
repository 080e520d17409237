#!/usr/bin/env node
/** The command `forecourt` of the package. Only this file runs where Node is too old. */
const OLDEST_NODE = [20, 19];

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
  console.error(
    `Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}`,
  );
  process.exit(1);
}
await import('../apps/cli/dist/bundle/forecourt.js');
