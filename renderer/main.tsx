import './jitless.js';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/App.js';
import './app/tokens.css';
import './app/base.css';
import './app/contrast.css';
import './app/frame.css';
import './queue/queue.css';
import './bulk/bulk.css';
import './run/card.css';
import './run/outcome.css';
import './run/low-window.css';
import './run/arguments.css';
import './run/pane.css';
import './decision/decision.css';
import './reconcile/reconcile.css';
import './history/history.css';
import './settings/settings.css';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
