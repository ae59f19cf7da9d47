import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { useSettings } from '../../renderer/settings/settings-store.js';
import { TeamEngine } from '../../renderer/settings/TeamEngine.js';
import { accepted } from '../../shared/refusal.js';
import { Settings, TEAM_SECRET, type Team } from '../../shared/settings.js';
import { createFakeBridge, type FakeBridge } from './fake-bridge.js';

async function show(team: Partial<Team>): Promise<FakeBridge> {
  const bridge = createFakeBridge([], { team: { ...Settings.parse({}).team, ...team } });
  window.holdpoint = bridge;
  await useSettings.getState().load();
  render(<TeamEngine />);
  return bridge;
}

afterEach(() => document.body.replaceChildren());

describe('the team’s connection on the settings page', () => {
  it('stores a password under the team’s own name and never in the settings', async () => {
    const bridge = await show({ servers: ['nats://one:4222'], credentials: { kind: 'password', user: 'ada' } });
    await userEvent.type(screen.getByLabelText('Password'), 'open sesame');
    await userEvent.click(screen.getByRole('button', { name: 'Store key' }));
    expect(bridge.argsOf('secret:set')).toEqual([[TEAM_SECRET, 'open sesame']]);
    expect(JSON.stringify(bridge.settings)).not.toContain('sesame');
    expect(screen.getByLabelText('Password')).toHaveProperty('value', '');
  });

  it('tests only what is saved, and shows each finding', async () => {
    const bridge = await show({ servers: ['nats://one:4222'] });
    bridge.answer('team:test', () =>
      accepted({
        ok: false,
        findings: [
          { level: 'good', code: 'connected', text: 'Connected.' },
          { level: 'bad', code: 'no_right', text: 'The right to publish $KV.hp.susp.probe is missing.' },
        ],
      }),
    );
    await userEvent.click(screen.getByRole('button', { name: 'Test connection' }));
    const found = await screen.findByTestId('team-result');
    expect([...found.querySelectorAll('li')].map((line) => line.className)).toEqual(['ok', 'refused']);
    expect(found.textContent).toContain('$KV.hp.susp.probe');
    await userEvent.type(screen.getByLabelText('Bucket'), '2');
    expect(screen.getByRole('button', { name: 'Test connection' })).toHaveProperty('disabled', true);
  });
});
