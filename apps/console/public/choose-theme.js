// Runs before the first paint, so that a dark page does not flash white. The policy of the page forbids inline scripts.
(() => {
  const kept = localStorage.getItem('forecourt.theme');
  const prefersDark = matchMedia('(prefers-color-scheme: dark)').matches;
  const isDark = kept === 'dark' || (kept !== 'light' && prefersDark);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
})();
