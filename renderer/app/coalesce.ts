/**
 * Runs `task` at most once at a time; calls that come meanwhile lead to one more run after it. So the last run always
 * began after the last call.
 */
export function coalesce(task: () => Promise<void>): () => void {
  let running = false;
  let again = false;
  async function run(): Promise<void> {
    running = true;
    try {
      do {
        again = false;
        await task();
      } while (again);
    } finally {
      running = false;
    }
  }
  return () => {
    if (running) again = true;
    else void run();
  };
}
