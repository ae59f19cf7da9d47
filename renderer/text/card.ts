import type { ToolClaims } from '../../shared/tool-table.js';
import { s } from './plural.js';
import { warningLabel } from './warning-labels.js';

/** The words of the card and of the pane beside it. */
export const cardText = {
  step: (n: number) => `step ${n}`,
  ago: (span: string) => `${span} ago`,
  timeLeft: (ms: number, span: (ms: number) => string) => (ms > 0 ? `${span(ms)} left` : 'past its time'),
  fileState: (state: string) => `the record says “${state.replace('_', ' ')}”`,
  route: { here: 'Continues here', handed_over: 'Handed over to its agent' },
  marks: {
    blanks: (n: number) => `${n} blanks`,
    blank_lines: (n: number) => `${n} blank lines`,
    revealSecret: 'Masked. Show this value for half a minute. The same sign means the same value.',
    hideSecret: 'Hide',
    more: (n: number) => `… and ${n} more character${n === 1 ? '' : 's'}`,
  },
  card: {
    label: (name: string) => `Card of ${name}`,
    region: 'What is to be decided',
    none: 'No run is selected. J and K move through the list, N goes to the next open one.',
    back: 'List',
    why: 'Why it stopped',
    step: (n: number) => `Step ${n}`,
    noCalls: 'No calls to decide',
    noList: 'This stop has no list of calls. Approving lets the step go on; nothing is dispatched here.',
    emptyList: 'The list of calls is empty, or every call in it is settled. Approving lets the run go on.',
  },
  verdict: {
    label: 'Verdict line',
    repeatable: 'repeatable',
    notRepeatable: 'not repeatable',
    server: 'Goes to server',
    noServer: 'No tool server of this source is known to have it. ',
    known: 'The class is from your tool table.',
    unknown: 'No row of your tool table names this tool: it counts as changing something, not repeatable.',
    raised: 'The server itself claims more, so the class was raised.',
    claims: (claims: ToolClaims) =>
      `The server claims (not relied on): ${[
        claims.readOnly !== undefined && (claims.readOnly ? 'read-only' : 'not read-only'),
        claims.destructive !== undefined && (claims.destructive ? 'destructive' : 'not destructive'),
        claims.idempotent !== undefined && (claims.idempotent ? 'repeatable' : 'not repeatable'),
      ]
        .filter(Boolean)
        .join(', ')}.`,
    answered: 'The conversation already holds an answer for this call. It is never dispatched again.',
  },
  args: {
    title: 'Arguments',
    value: 'Value',
    wholeValue: 'The whole value',
    decoded: 'Decoded view',
    fields: (n: number, only: string | null) => (n === 1 && only === null ? '· one value ·' : `· ${n} field${s(n)} ·`),
    state: (state: string) =>
      ({
        whole: 'whole',
        partial: 'first part only',
        loading: 'loading',
        wrong: 'digest differs',
        refused: 'not loaded',
      })[state] ?? state,
    exact: 'Exact text',
    secrets: (n: number) => `${n} secret${s(n)} masked`,
    secretsMean: 'Masked here and in copies; sent as written. Approving needs none of them shown.',
    copySecrets: 'Copy with secrets',
    copy: 'Copy',
    digest: (hex: string) => `sha256 ${hex.slice(0, 4)}…${hex.slice(-4)}`,
    none: {
      empty_string: 'No arguments (empty string received). The tool gets {}; the record keeps the empty string.',
      null: 'No arguments (null received). The tool gets {}; the record keeps null.',
    },
    emptyObject: 'No arguments: an empty object {} was written, and is sent as it is.',
    emptyValue: (kind: 'object' | 'array') => (kind === 'object' ? '{} (empty object)' : '[] (empty list)'),
    cameAsString: 'Came as a JSON string that holds an object. It is decoded once and sent as this object.',
    noObject: 'Not an object. A tool server takes an object with named values only.',
    unreadable: (why: string) => `Not valid JSON: ${why}. Shown as it is written.`,
    repeated: 'this key stands here more than once',
    showDecoded: 'Show as JSON (the tool gets the text)',
    hideDecoded: 'Hide the decoded view',
    notDecodable: 'It is not JSON.',
    host: 'Host:',
    writtenAs: 'written as',
    readAs: 'reads as',
    port: (port: string) => `port ${port}`,
    mixedHost: (scripts: readonly string[]) => `mixes ${scripts.join(' and ')} letters`,
    plainScheme: (scheme: string) => `${scheme}: not encrypted`,
    length: (units: string, lines: number) => `${units} characters, ${lines} line${s(lines)}`,
    userInfo: 'a name stands before the host',
    longSize: (kind: string, lines: string, units: string, size: string) =>
      kind === 'string'
        ? `text, ${lines} lines, ${units} characters, ${size}`
        : `${kind}, ${units} characters, ${size}`,
    longLabel: (name: string) => `${name}, whole`,
    reached: 'read to its end',
    notReached: 'open and scroll to its end before approving',
    notWhole: (state: string, here: string, all: string) =>
      state === 'loading'
        ? `Loading: ${here} of ${all} characters are here.`
        : state === 'wrong'
          ? 'This text does not match its digest. It cannot be approved.'
          : `Not whole: ${here} of ${all} characters are shown.`,
    fetchRest: 'Load the whole text',
  },
  warnings: {
    title: (n: number) => `${n} warning${s(n)}`,
    code: warningLabel,
    blocks: 'Approving is off while this stands.',
    goThere: 'Go to the place',
    back: 'Back to the warning',
  },
  state: {
    label: 'State',
    status: 'Status',
    source: 'Source',
    run: 'Run',
    thread: 'Thread',
    callId: 'Call id',
    step: 'Step',
    stepAndSeq: (step: number, seq: number) => `${step}, hold number ${seq} of this run`,
    suspended: 'Suspended',
    expires: 'Expires',
    latch: 'Latch',
    free: 'free',
    latched: (kind: string, by: string, at: string) =>
      `taken ${at} by ${by} (${{ here: 'to continue here', handed_over: 'by its agent', upstream: 'before it came here' }[kind] ?? kind})`,
    record: 'Record',
    route: 'After approval',
    otherRoute: { here: 'hand over instead', handed_over: 'continue here instead' },
  },
  agentWords: (words: string) => `What the agent says about it · untrusted, ${words} words`,
  conversation: {
    title: 'Conversation',
    message: 'Message',
    asWritten: 'As written',
    mayBeCut: 'As recorded; may be cut before here.',
    none: 'The record holds no messages.',
    earlier: (n: number) => `Show earlier messages (${n})`,
    notLoaded: (n: number) => `${n} earlier messages are in the record itself (I).`,
    thisStep: 'this step',
    role: { system: 'system', user: 'user', assistant: 'assistant', tool: 'tool' },
    fetchRest: (size: string) => `Load the rest (${size})`,
  },
  file: {
    title: 'What it would do to the file',
    patch: 'The patch',
    nothing: 'No difference.',
    compare: 'Compare with the file as it is now',
    again: 'Read it again',
    state: {
      text: 'Compared with',
      missing: 'There is no such file:',
      no_text: 'No text, not compared:',
      too_large: 'Too large to be compared:',
    },
    link: 'is a link, or lies behind one; really',
    modified: (at: string) => `last changed ${at}`,
    asOf: (at: string) => `read ${at}; it may change before the call runs`,
    foundOnce: 'Each text that is to be replaced stands in the file once.',
    found: (times: readonly number[]) =>
      `The texts that are to be replaced stand in the file ${times.join(', ')} time${times.length === 1 && times[0] === 1 ? '' : 's'}.`,
  },
  encoded: {
    kind: (mime: string) =>
      ({ 'text/plain': 'text', 'application/octet-stream': 'bytes of no known type', 'application/pdf': 'a PDF' })[
        mime
      ] ?? mime,
    holds: (size: string, kind: string) => `Base64: ${size}, ${kind} by its content`,
    declared: 'but it says it is',
    pixels: (width: number, height: number) => `${width} × ${height} pixels`,
    showText: 'Show the decoded text',
    showPicture: 'Show the picture',
    hide: 'Hide',
    picture: 'Picture from the arguments',
    decoded: 'Decoded text',
    noText: 'It is no text to its end.',
    first: (size: string) => `The first ${size}.`,
    notDrawn: {
      type: 'Pictures of this type are not drawn.',
      bytes: 'Too large to be drawn.',
      pixels: 'Not drawn: too many pixels, or its size is not known.',
    },
  },
  pages: {
    label: 'Parts of this text',
    previous: 'Previous part',
    next: 'Next part',
    last: 'Last part',
    at: (at: number, of: number, end: string, length: string) =>
      `Part ${at} of ${of}, up to character ${end} of ${length}`,
  },
  markdown: {
    picture: 'Picture, not loaded:',
    opens: 'Opens in your browser, after a question',
    notOpened: 'not opened:',
  },
  raw: {
    title: 'Record as it came',
    text: 'Text of the record',
    shown: (here: string, all: string) => `${here} of ${all} characters`,
    more: 'Load more',
  },
  side: {
    label: 'Conversation, record and history',
    none: 'Nothing is selected.',
    open: 'Conversation',
    tab: { conversation: 'Conversation', raw: 'Record', history: 'History' },
  },
  unreadable: {
    title: 'This record cannot be read',
    never: 'Unreadable · never approvable',
    reason: 'Reason',
    path: 'Path',
    place: 'Place',
    placeOf: (r: { line: number | null; column: number | null; offset: number | null }) =>
      [
        r.line !== null && `line ${r.line}`,
        r.column !== null && `column ${r.column}`,
        r.offset !== null && `byte ${r.offset}`,
      ]
        .filter(Boolean)
        .join(', '),
    size: 'Size',
    name: 'Name',
    export: 'Save the bytes…',
    kept: 'The bytes stay as they came; nothing overwrites or deletes them.',
    exported: 'Saved.',
  },
  changed: {
    title: 'Changed since you looked',
    words: 'The record is not the one you read. Nothing was decided, and every mark on a changed call is gone.',
    facts: 'What would happen is not what you read. Nothing was decided.',
    route: 'goes on:',
    effect: 'effect class:',
    repeats: 'again:',
    table: 'tool table:',
    known: 'has it',
    unknown: 'does not have it',
    server: 'server:',
    callOf: 'call:',
    call: (n: number) => `Call ${n}:`,
    absent: 'not there',
    superseded: 'Another record took its place',
    goThere: 'Go to the newer one',
    dismiss: 'I have read it',
  },
} as const;
