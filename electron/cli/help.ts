import type { Command } from './command.js';

/** The text of `holdpoint help`, or of one command's. */
export function helpText(commands: readonly Command[], only?: Command): string {
  if (only) return `holdpoint ${only.usage}\n  ${only.does}\n\n${NOTES}`;
  const lines = commands.flatMap(({ usage, does }) => [`  ${usage}`, `      ${does}`]);
  return `holdpoint: suspended agent runs, from the agent's side. A person decides in the window; no command does.

${lines.join('\n')}
  help [COMMAND]
      prints this

${NOTES}`;
}

const NOTES = `Everywhere:
  --data DIR   the data folder; else HOLDPOINT_DATA, the pointer file "data-folder" in the configuration folder, the default
  --json       one JSON object on stdout; a refusal is {"ok":false,"refusal":{"code","text","facts"}}
  --version    prints the version

RUN is any id of a run: its run id, thread id or checkpoint id, or its key as "list --json" gives it. It means the latest
suspension of the run; RUN#2 is the second one. Calls are numbered from 0, by their position in the batch.
A token is yours: make a random one, save it, and only then use it.

Exit codes:
  0  done
  1  refused: the text says why (stderr), --json gives the code
  2  the command line is wrong, or names something that is not there
  3  not decided: the time is up, or the decision can still be taken back; ask again with the same token
  4  the record cannot be read
  5  the store failed: full, read-only, damaged, or in doubt; what was not acknowledged is not saved
`;
