/** Sponsoring at nodes that behave as real ones do; one system serves all of it. */
import './unknown-outcomes.cases.js';
// The last of these has the services use other nodes.
import './several-nodes.cases.js';
