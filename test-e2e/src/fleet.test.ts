/** Several replicas of each service; all tests share one system. */
import './fleet.cases.js';
import './coin-pool-replicas.cases.js';
import './newer-jobs.cases.js';
