// Runs as a classic script in the head, so that the chosen theme is there before anything is painted.
try {
  const chosen = localStorage.getItem('petstore-theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
  const deployment = localStorage.getItem('petstore-deployment');
  if (deployment === 'staging') document.documentElement.dataset.deployment = deployment;
} catch {
  // Storage may be forbidden; the system's theme is a good one.
}
