import { APPROVE_CHANNELS, APPROVE_EVENTS, EVENT_CHANNELS, INVOKE_CHANNELS } from '../shared/channels.js';
import { exposeBridge } from './bridge.js';
import { APPROVE_URL, isPage } from './shell/origin.js';

// Runs in every frame of the window. The page gets its bridge, the approve control its own; any other frame gets nothing.
const { href } = (globalThis as unknown as { location: { href: string } }).location;

if (process.isMainFrame) exposeBridge('holdpoint', INVOKE_CHANNELS, EVENT_CHANNELS);
else if (isPage(href, APPROVE_URL)) exposeBridge('holdpointApprove', APPROVE_CHANNELS, APPROVE_EVENTS);
