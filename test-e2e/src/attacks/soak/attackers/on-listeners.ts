import type { Attacker } from '../attacker.js';
import { batchDiscoveries } from './batch-discoveries.js';
import { leaveDocumentsUnread, leaveMetricsUnread } from './leave-responses-unread.js';
import { sendIdleBodies } from './send-idle-bodies.js';
import { openSilentConnections, takeAllFieldPaths } from './take-all-places.js';

/** Those that make listeners hold as much as they can. */
export const listenerAttackers: readonly Attacker[] = [
  leaveDocumentsUnread,
  leaveMetricsUnread,
  sendIdleBodies,
  batchDiscoveries,
  openSilentConnections,
  takeAllFieldPaths,
];
