/** Attacks against the events service; all tests share one system. */
import './events-amplification.cases.js';
import './events-memory.cases.js';
