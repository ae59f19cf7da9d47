export const CRASH_PATH = '/stopped';

/** What is shown when the page keeps crashing: no script, no style, one way back. Static, so nothing is escaped. */
export function crashPage(pageUrl: string): string {
  return `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Holdpoint stopped</title></head>
  <body>
    <h1>The window stopped working</h1>
    <p>It crashed several times within a minute and was not started again by itself.</p>
    <p>Decisions that were shown as saved are saved. A run that was being continued goes on, or is listed with what is
    known of each call.</p>
    <p><a href="${pageUrl}">Open it again</a></p>
  </body>
</html>
`;
}
