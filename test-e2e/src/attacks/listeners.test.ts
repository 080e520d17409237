/** Attacks on the memory, connections and places of listeners; one system serves them all. */
import './idle-bodies.cases.js';
import './metrics-floods.cases.js';
import './newcomers.cases.js';
import './rpc-batches.cases.js';
import './unread-documents.cases.js';
