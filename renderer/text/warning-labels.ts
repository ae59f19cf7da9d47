/** Codes whose plain reading would say too little, or say it badly. The others read well as they are. */
const LABELS: Readonly<Record<string, string>> = {
  integer_past_2_53: 'Integer past 2^53',
  arguments_encoded: 'Arguments came as text',
  arguments_empty: 'No arguments',
  arguments_not_an_object: 'Arguments are no object',
  arguments_invalid: 'Arguments are not JSON',
  placeholder: 'Cut data, perhaps',
  hidden_characters: 'Hidden characters',
  reordering_characters: 'Text that reorders itself',
  terminal_sequence: 'Terminal sequences',
  mixed_scripts: 'Mixed scripts',
  looks_like: 'Looks like another',
  breaks_schema: 'Does not fit the tool',
  empty_id: 'Call without an id',
  ids_collide: 'Calls share an id',
  transcript_unanswered: 'Earlier call unanswered',
  transcript_stray_answer: 'Answer to no call',
  transcript_broken: 'Conversation is broken',
  history_may_be_cut: 'History may be cut',
  history_arguments: 'Arguments in the history',
  content_not_text: 'Content is not all text',
  parts_only_named: 'Parts are only named',
  usage_differs: 'Usage stands twice, differs',
  needs_result: 'Waits for a result',
  needs_clarification: 'Asks the user a question',
  ambiguous_turn: 'Turn may have run',
  ambiguous_step: 'Step may have run',
  turn_mismatch: 'Turn does not fit its counters',
  revision_overflow: 'Last revision is used up',
  bad_namespace: 'Namespace is not valid',
  bad_prefix: 'Stored prefix does not fit',
  bad_prompt: 'Prompt is not valid',
  proposal_too_large: 'Proposal is too large',
  identity_mismatch: 'Identities differ',
  step_differs: 'Step stands twice, differs',
  started_again: 'Started again from step 1',
  latest_ambiguous: 'Latest row is not clear',
  next_row_exists: 'Next row exists already',
  not_resumable: 'Not resumable',
};

/** A code as a person reads it: underscores and inner capitals are spaces, and it begins with a capital. */
export function warningLabel(code: string): string {
  const known = LABELS[code];
  if (known !== undefined) return known;
  const words = code
    .replaceAll('_', ' ')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
