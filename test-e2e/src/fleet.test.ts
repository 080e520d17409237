/** Several replicas of each service; one system serves all of it. */
import './fleet.cases.js';
import './coin-pool-replicas.cases.js';
import './newer-jobs.cases.js';
