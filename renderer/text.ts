import { approveText } from './text/approve.js';
import { bulkText } from './text/bulk.js';
import { cardText } from './text/card.js';
import { decisionText } from './text/decision.js';
import { insightText } from './text/insight.js';
import { keepingText } from './text/keeping.js';
import { outcomeText } from './text/outcome.js';
import { rulesText } from './text/rules.js';
import { settingsText } from './text/settings.js';
import { systemsText } from './text/systems.js';
import { windowText } from './text/window.js';

/** Every word of the window, in one place, ready to be translated. Nothing here comes from a record. */
export const text = {
  ...approveText,
  ...windowText,
  ...cardText,
  ...bulkText,
  ...decisionText,
  ...outcomeText,
  ...systemsText,
  keeping: keepingText,
  settings: settingsText,
  insight: insightText,
  rules: rulesText,
} as const;
