/** Documentation, metrics, logs and traces of a system; all tests share one system. */
import './documentation-examples.cases.js';
import './openapi.cases.js';
import './openapi-bodies.cases.js';
import './command-line.cases.js';
import './monitoring/alerts-and-dashboard.cases.js';
import './monitoring/metrics.cases.js';
import './monitoring/logs.cases.js';
import './monitoring/probes.cases.js';
// These tests end services, so they are the last.
import './monitoring/traces.cases.js';
