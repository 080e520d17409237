/** What attackers make listeners hold; one system serves all of it. */
import './idle-bodies.cases.js';
import './metrics-floods.cases.js';
import './newcomers.cases.js';
import './rpc-batches.cases.js';
import './unread-documents.cases.js';
