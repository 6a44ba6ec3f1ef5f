/**
 * Runs before the page that the server has sent is drawn, which is the same for everybody: it says what this browser
 * knows of its user, so that the styles can hide what will look different. It delays the first drawing, so it imports
 * nothing. It is no module, because a module would run after the first drawing: hence the block around it.
 */
{
  const { dataset } = document.documentElement;
  const attempt = (look: () => void) => {
    try {
      look();
    } catch {
      // A browser that blocks site data throws.
    }
  };
  attempt(() => {
    if (document.cookie.includes("annon_token=") || history.state?.usr) dataset.known = "";
  });
  attempt(() => {
    // The landing page lists them.
    const isListed = (key: string) => key.startsWith("annon.group.") || key.startsWith("annon.conversation.");
    if (Object.keys(localStorage).some(isListed)) dataset.known = "groups";
  });
  // A form that needs the app isn't sent before the app is there: a password would be sent to the wrong place.
  addEventListener("submit", (event) => {
    if (event.target instanceof Element && event.target.matches("[data-scripted]")) event.preventDefault();
  });
  attempt(() => {
    const { theme } = sessionStorage;
    if (theme === "light" || theme === "dark") dataset.theme = theme;
  });
}
