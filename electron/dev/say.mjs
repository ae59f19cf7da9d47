// @ts-check
/** Progress goes to stderr: the last line of stdout belongs to the summary. @param {string} text */
export function say(text) {
  process.stderr.write(`holdpoint: ${text}\n`);
}
