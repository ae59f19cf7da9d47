import type { MessageView } from '../../shared/ipc.js';
import { count } from '../app/format.js';
import { text as words } from '../text.js';
import { MessageText } from './MessageText.js';

/** What the agent says about its own call: folded, apart from the decision, and said to be untrusted. */
export function AgentWords({ itemId, messages }: { itemId: string; messages: readonly MessageView[] }) {
  const last = messages.findLast((message) => message.role === 'assistant');
  if (!last || last.content.trim() === '') return null;
  return (
    <details className="fold agent-words">
      <summary>{words.agentWords(count(last.content.split(/\s+/u).filter(Boolean).length))}</summary>
      <MessageText itemId={itemId} message={last} />
    </details>
  );
}
