import { expect, it } from 'vitest';
import { crashBudget } from '../../electron/shell/crash-budget.js';
import { crashPage } from '../../electron/shell/crash-page.js';

it('reloads at most three times in 60 seconds', () => {
  const mayReload = crashBudget();
  expect([0, 10, 20, 30, 59_999].map(mayReload)).toEqual([true, true, true, false, false]);
});

it('reloads again when the minute is over', () => {
  const mayReload = crashBudget();
  expect([0, 30_000, 40_000, 60_000, 60_001, 90_000].map(mayReload)).toEqual([true, true, true, true, false, true]);
});

it('offers one way back and no script', () => {
  const page = crashPage('app://holdpoint/');
  expect(page).toContain('href="app://holdpoint/"');
  expect(page).not.toMatch(/<script|style=|\son\w+=/i);
});
