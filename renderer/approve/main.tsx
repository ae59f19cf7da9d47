import '../jitless.js';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Control } from './Control.js';
import '../app/tokens.css';
import '../app/base.css';
import '../app/contrast.css';
import './approve.css';

const root = document.getElementById('root');
if (root === null) throw new Error('approve.html has no #root');
createRoot(root).render(
  <StrictMode>
    <Control />
  </StrictMode>,
);
