import { EVENT_CHANNELS, INVOKE_CHANNELS } from '../shared/channels.js';
import { exposeBridge } from './bridge.js';

exposeBridge('holdpoint', INVOKE_CHANNELS, EVENT_CHANNELS);
