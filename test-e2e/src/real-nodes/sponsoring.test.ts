/** Sponsoring on nodes that behave like real ones; all tests share one system. */
import './unknown-outcomes.cases.js';
// These tests move the services to other nodes, so they are the last.
import './several-nodes.cases.js';
