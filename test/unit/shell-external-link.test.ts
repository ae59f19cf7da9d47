import { describe, expect, it, vi } from 'vitest';
import { openableLink, openExternal } from '../../electron/shell/external-link.js';

describe('openableLink', () => {
  it.each([
    ['https://example.com/docs?a=1#b', 'https://example.com/docs?a=1#b'],
    ['HTTPS://EXAMPLE.com', 'https://example.com/'],
    // A Cyrillic "е" is shown for what it is.
    ['https://еxample.com/', 'https://xn--xample-2of.com/'],
  ])('%s opens as %s', (text, url) => {
    expect(openableLink(text)).toBe(url);
  });

  it.each([
    'http://example.com/',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'app://holdpoint/',
    'holdpoint://run/1',
    'smb://server/share',
    '//example.com/',
    'https://user@example.com/',
    'https://trusted.com:x@evil.com/',
    'https://',
    '',
    `https://example.com/${'a'.repeat(2000)}`,
    `https://example.com/${'é'.repeat(500)}`,
  ])('%j does not', (text) => {
    expect(openableLink(text)).toBeNull();
  });
});

describe('openExternal', () => {
  const desktop = (agrees: boolean) => ({
    confirm: vi.fn(() => Promise.resolve(agrees)),
    open: vi.fn(() => Promise.resolve()),
  });

  it('opens what was shown, after a yes', async () => {
    const yes = desktop(true);
    expect(await openExternal('https://EXAMPLE.com/a', yes)).toBe(true);
    expect(yes.confirm).toHaveBeenCalledExactlyOnceWith('https://example.com/a');
    expect(yes.open).toHaveBeenCalledExactlyOnceWith('https://example.com/a');
  });

  it('opens nothing after a no', async () => {
    const no = desktop(false);
    expect(await openExternal('https://example.com/', no)).toBe(false);
    expect(no.open).not.toHaveBeenCalled();
  });

  it('does not even ask for what must not be opened', async () => {
    const yes = desktop(true);
    expect(await openExternal('file:///etc/passwd', yes)).toBe(false);
    expect(yes.confirm).not.toHaveBeenCalled();
  });
});
