// A classic script in the head: applies the stored theme before the first paint.
try {
  const chosen = localStorage.getItem('petstore-theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
  const deployment = localStorage.getItem('petstore-deployment');
  if (deployment === 'staging') document.documentElement.dataset.deployment = deployment;
  if (localStorage.getItem('petstore-density') === 'compact')
    document.documentElement.dataset.density = 'compact';
} catch {
  // Storage may be blocked; fall back to the system theme.
}
