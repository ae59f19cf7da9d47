import { z } from 'zod';
import { SavedView } from './queue.js';
import { ToolRow } from './tool-table.js';

const Name = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[\w.-]+$/);

/** A tool server over MCP. Commands are absolute; nothing of a checkpoint can name one. */
export const ToolServer = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('stdio'),
    name: Name,
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    cwd: z.string().optional(),
    env: z.record(z.string(), z.string()).default({}),
    timeoutSeconds: z.number().int().min(1).max(3600).default(60),
  }),
  z.strictObject({
    kind: z.literal('http'),
    name: Name,
    url: z.url(),
    timeoutSeconds: z.number().int().min(1).max(3600).default(60),
  }),
  /** The built-in sample server: writes one line per call into a file of the data folder. */
  z.strictObject({ kind: z.literal('sample'), name: Name, timeoutSeconds: z.number().int().default(60) }),
]);
export type ToolServer = z.infer<typeof ToolServer>;

/** An OpenAI-compatible chat-completions endpoint; its key, if any, lives in the system's key store under its name. */
export const ModelEndpoint = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('openai'), name: Name, baseUrl: z.url(), model: z.string().min(1) }),
  /** The built-in scripted model of the samples; answers without a network. */
  z.strictObject({ kind: z.literal('scripted'), name: Name }),
]);
export type ModelEndpoint = z.infer<typeof ModelEndpoint>;

/** What continuing here needs to know of a source (H14). */
export const Profile = z.strictObject({
  systemPrompt: z.string().default(''),
  model: Name,
  servers: z.array(Name).default([]),
  /** Upper bound of the history sent to the model, in characters of JSON; 0 = no bound. */
  historyLimit: z.number().int().min(0).default(0),
  maxSteps: z.number().int().min(1).max(1000).default(32),
});
export type Profile = z.infer<typeof Profile>;

export const ROUTES = ['here', 'handed_over'] as const;
export type Route = (typeof ROUTES)[number];

export const Source = z.strictObject({
  name: Name,
  /** Overrides the way in: inbox and dropped files continue here, `suspend` is handed over. */
  route: z.enum(ROUTES).optional(),
  /** The source takes one verdict for a whole batch only (H13). */
  wholeBatchOnly: z.boolean().default(false),
  profile: Profile.optional(),
});
export type Source = z.infer<typeof Source>;

const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time of day as 08:30');

/** How Holdpoint makes itself known while its window is not in front. It never decides anything there. */
export const Attention = z.strictObject({
  notifications: z.boolean().default(true),
  /** No notification between these times of day, over midnight too; null: at any time. */
  quiet: z.strictObject({ from: TimeOfDay, to: TimeOfDay }).nullable().default(null),
  /** An icon with the count; with it, closing the window leaves Holdpoint at work. */
  tray: z.boolean().default(false),
  /** A combination that brings the window to the front from anywhere, as Electron writes it; '' for none. */
  shortcut: z.string().max(60).default(''),
  /** Starts at login, without a window where there is a tray. */
  atLogin: z.boolean().default(false),
});
export type Attention = z.infer<typeof Attention>;

/** Keys that the reviewer chose, by action: one plain character, or two typed one after the other. */
export const OwnKeys = z.record(z.string().max(40), z.array(z.string().min(1).max(8)).min(1).max(2));
export type OwnKeys = z.infer<typeof OwnKeys>;

/** A reviewer of the team whose signatures count: a raw Ed25519 public key (32 bytes) in base64, as its owner gave it. */
export const KnownReviewer = z.strictObject({
  name: z.string().min(1).max(200),
  publicKey: z
    .string()
    .regex(/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/, 'a public key as Holdpoint prints it: 44 characters'),
});
export type KnownReviewer = z.infer<typeof KnownReviewer>;

const Bucket = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'a bucket’s name: letters, digits, _ and -');
const ServerAddress = z
  .string()
  .max(300)
  .regex(/^(nats|tls):\/\/[^\s/@]+$/, 'an address as nats://host:4222, without a name and password in it');

/** How to prove to the shared engine who one is. What is secret of it is in the key store, under TEAM_SECRET. */
export const TeamCredentials = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('token') }),
  z.strictObject({ kind: z.literal('password'), user: z.string().min(1).max(200) }),
  z.strictObject({ kind: z.literal('nkey') }),
  /** A file with a signed name and its seed, as an operator's tool writes it. */
  z.strictObject({ kind: z.literal('creds'), file: z.string().min(1).max(1000) }),
]);
export type TeamCredentials = z.infer<typeof TeamCredentials>;

/** Name of the team's secret in the key store; no model endpoint can have it, for the space in it. */
export const TEAM_SECRET = 'shared engine';

/** The shared engine of a team: NATS JetStream. No server: none. Nothing else needs it. */
export const Team = z.strictObject({
  servers: z.array(ServerAddress).max(20).default([]),
  bucket: Bucket.default('hp'),
  credentials: TeamCredentials.default({ kind: 'none' }),
  /** The user's own part of the inbox, where the server's rights ask for one; '' for the name of the credentials. */
  inbox: z
    .string()
    .regex(/^[A-Za-z0-9_-]{0,100}$/, 'letters, digits, _ and -')
    .default(''),
  /** PEM file of the authority that signed the servers' certificates; '' for the system's own. */
  caFile: z.string().max(1000).default(''),
  /** Monitoring addresses of all servers: the only place where one can see that they sync each write. */
  monitors: z.array(z.url()).max(20).default([]),
  /** Accept an engine of which nobody can see that acknowledged claims survive a power cut (H21). */
  unverified: z.boolean().default(false),
});
export type Team = z.infer<typeof Team>;

/** Reasons that a reviewer gives often; the one chosen stands in the field, to be changed or sent. */
const REJECT_REASONS = [
  'Not now. Ask me again before you try this.',
  'The target is wrong. Check it and propose the call anew.',
  'This is not needed for the task. Go on without it.',
];

/** `system` follows the system, its wish for more contrast included; `high_contrast` is that wish, light or dark as the system. */
export const THEMES = ['system', 'light', 'dark', 'high_contrast'] as const;
export type Theme = (typeof THEMES)[number];

export const Settings = z.strictObject({
  reviewer: z.string().max(200).default(''),
  theme: z.enum(THEMES).default('system'),
  /** Seconds between a decision and the earliest claim; 0 = none. */
  undoSeconds: z.number().int().min(0).max(600).default(5),
  gc: z
    .strictObject({
      enabled: z.boolean().default(true),
      ttlHours: z.number().min(0.01).default(168),
      intervalMinutes: z.number().min(0.01).default(15),
    })
    .prefault({}),
  selectNextAfterDecision: z.boolean().default(true),
  singleKeys: z.boolean().default(true),
  rejectReasons: z.array(z.string().min(1).max(2000)).max(20).default(REJECT_REASONS),
  keys: OwnKeys.default({}),
  attention: Attention.prefault({}),
  /** Folders of this machine whose files may be read beside a call that would change them, without being asked. */
  readFolders: z.array(z.string().min(1)).default([]),
  servers: z.array(ToolServer).default([]),
  models: z.array(ModelEndpoint).default([]),
  sources: z.array(Source).default([]),
  tools: z.array(ToolRow).default([]),
  /** The rest of the team; this reviewer's own key is known without it. */
  reviewers: z.array(KnownReviewer).max(500).default([]),
  /** A decision that would send a destructive call is not claimed before a second known reviewer has signed it. */
  twoPersons: z.boolean().default(false),
  team: Team.prefault({}),
  /** Queries of the list under names of the reviewer's own. */
  views: z.array(SavedView).default([]),
});
export type Settings = z.infer<typeof Settings>;
