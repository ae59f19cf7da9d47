import { expect, it } from 'vitest';
import { confirmKey, confirms } from '../../renderer/approve/confirm-keys.js';

it('Enter and Ctrl+Enter always confirm; the approve key does while no other action has it', () => {
  expect(confirms('enter', 'Enter', {})).toBe(true);
  expect(confirms('submit', 'Enter', {})).toBe(true);
  expect(confirms('approve', 'a', {})).toBe(true);
  expect(confirms('approve', 'y', { approve: ['y'] })).toBe(true);
  expect(confirmKey(true, { approve: ['y'] })).toBe('Y');
});

it('a key of habit that was given to approve confirms nothing, whatever the settings say', () => {
  for (const key of ['j', 'k', 'n', 'r', 'x', '[', '/'])
    expect(confirms('approve', key, { approve: [key], down: ['1'], up: ['2'], next_open: ['3'] }), key).toBe(false);
  expect(confirmKey(true, { approve: ['j'], down: ['z'] })).toBeNull();
  expect(confirmKey(false, {})).toBeNull();
  expect(confirmKey(true, { approve: ['q', 'q'] })).toBeNull();
});
