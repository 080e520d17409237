/** What operators see of a fleet and of single transactions; one system serves all of it. */
import './explain-transaction.cases.js';
import './inspect-fleet.cases.js';
