/** Longest piece of work at one time, in milliseconds: well below what a person feels. */
const SLICE_MS = 12;

/** Lets the page paint and take keys; unlike a timer it is not slowed down by the browser. */
function pause(): Promise<void> {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done();
    };
    port2.postMessage(null);
  });
}

/** Works through steps with pauses in between; resolves with what they lead to. */
export async function inSlices<T>(steps: Generator<undefined, T>): Promise<T> {
  for (let since = performance.now(); ; ) {
    const step = steps.next();
    if (step.done) return step.value;
    if (performance.now() - since < SLICE_MS) continue;
    await pause();
    since = performance.now();
  }
}
