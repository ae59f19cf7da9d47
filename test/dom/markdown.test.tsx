import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { markdownOf } from '../../renderer/run/markdown-tree.js';
import { createFakeBridge } from './fake-bridge.js';
import { openCard, openPage, type Page } from './page.js';
import { makeCall, makeDetail, makeMessage } from './samples.js';

async function show(text: string, role: 'assistant' | 'tool' = 'assistant'): Promise<Page> {
  const detail = makeDetail('x', [makeCall('{"a":1}')], { messages: [makeMessage(0, role, text)] });
  const page = await openPage(createFakeBridge([detail]));
  await openCard(page, 'x');
  return page;
}
const pane = () => screen.getByTestId('conversation');

describe('I10 the conversation is Markdown that the application draws', () => {
  it('structure is drawn; nothing of the text is left out', async () => {
    await show('# Plan\n\n- **one**\n- `two`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n~~no~~');
    expect(pane().querySelector('.md-heading')?.textContent).toBe('Plan');
    expect(pane().querySelector('h1, h2, h3')).toBeNull();
    expect([...pane().querySelectorAll('.markdown li')].map((li) => li.textContent)).toEqual(['one', 'two']);
    expect([...pane().querySelectorAll('td')].map((td) => td.textContent)).toEqual(['1', '2']);
  });

  it('markup of pages is text, pictures are words, nothing is loaded', async () => {
    await show('<img src=x onerror=alert(1)>\n\na <b>bold</b> ![alt](https://evil.example/p.png) <!-- hidden -->');
    expect(pane().querySelector('img, b, script, iframe, a[href]')).toBeNull();
    expect(pane().textContent).toContain('<img src=x onerror=alert(1)>');
    expect(pane().textContent).toContain('<b>bold</b>');
    expect(pane().textContent).toContain('<!-- hidden -->');
    expect(pane().textContent).toContain('not loaded: alt');
    expect(pane().textContent).toContain('https://evil.example/p.png');
  });

  it('a link says where it goes, and opens by a request to the main process alone, which asks', async () => {
    const page = await show('[your bank](https://evil.example/login) [x](javascript:alert(1)) [y](http://a.example/)');
    const links = within(pane()).getAllByRole('button', { name: /evil\.example|alert|a\.example/ });
    expect(links.map((link) => link.textContent)).toEqual(['↗ https://evil.example/login']);
    expect(pane().textContent).toContain('not opened: javascript:alert(1)');
    expect(pane().textContent).toContain('not opened: http://a.example/');
    await page.user.click(links[0] as HTMLElement);
    expect(page.bridge.argsOf('link:open')).toEqual([['https://evil.example/login']]);
  });

  it('hidden characters are marks and secrets are masked in it; as written is one click away', async () => {
    const key = `sk-test-${'A1b2C3d4E5f6G7h8'}`;
    const page = await show(`**pay\u200bment** with ${key}`);
    expect(pane().querySelector('strong .mark')?.textContent).toContain('U+200B');
    expect(pane().innerHTML).not.toContain(key);
    await page.user.click(within(pane()).getByRole('button', { name: 'As written' }));
    expect(pane().textContent).toContain('**pay');
    expect(pane().innerHTML).not.toContain(key);
  });

  it('what a tool said is no Markdown', async () => {
    await show('**x**', 'tool');
    expect(pane().textContent).toContain('**x**');
  });

  it('C64: blank lines that push something away are counted and not swallowed; hostile nesting is shown as written', () => {
    for (const text of [
      `a${'\n'.repeat(80)}b`,
      '>'.repeat(10_000),
      '['.repeat(10_000),
      `${'- '.repeat(40)}x`,
      `|${'a|'.repeat(200)}`,
      '*'.repeat(5_000),
      'x'.repeat(20_000),
    ])
      expect(markdownOf(text)).toBeNull();
    expect(markdownOf('> a\n> > b\n\n- x\n  - y')).not.toBeNull();
  });
});
