export { RecentObjects } from './recent-objects.js';
