// Before anything is drawn, so that no page flashes in the wrong colours.
try {
  const theme = localStorage.getItem('holdpoint.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; then the system's theme is shown.
}
