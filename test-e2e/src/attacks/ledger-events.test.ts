/** What attackers try against the events service; one system serves all of it. */
import './events-amplification.cases.js';
import './events-memory.cases.js';
