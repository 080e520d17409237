export { SponsorshipQueries } from './sponsorship-queries.js';
export { UsageQueries } from './usage-queries.js';
