/** The operators' view of a fleet and of single transactions; all tests share one system. */
import './explain-transaction.cases.js';
import './inspect-fleet.cases.js';
