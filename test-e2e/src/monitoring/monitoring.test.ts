/** What services show, and what alerts and dashboard ask for; one system serves all of it. */
import './alerts-and-dashboard.cases.js';
import './metrics.cases.js';
