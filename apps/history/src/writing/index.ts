export { insertRefusals } from './insert-refusals.js';
export { insertSponsorships } from './insert-sponsorships.js';
