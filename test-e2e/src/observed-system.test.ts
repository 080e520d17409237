/** What is described of a system, and what it shows and writes; one system serves all of it. */
import './documentation-examples.cases.js';
import './openapi.cases.js';
import './openapi-bodies.cases.js';
import './command-line.cases.js';
import './monitoring/alerts-and-dashboard.cases.js';
import './monitoring/metrics.cases.js';
import './monitoring/logs.cases.js';
import './monitoring/probes.cases.js';
// The last of these ends services.
import './monitoring/traces.cases.js';
