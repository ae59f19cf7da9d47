import { describe, expect, it } from 'vitest';
import { capText, resultText } from '../../electron/agent/result-text.js';

describe('the text of a tool result', () => {
  it('joins texts and names everything else', () => {
    const content = [
      { type: 'text', text: 'first' },
      { type: 'image', mimeType: 'image/png', data: Buffer.alloc(1234).toString('base64') },
      { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
      { type: 'resource_link', uri: 'file:///a.txt', name: 'a' },
      { type: 'resource', resource: { uri: 'x://1', mimeType: 'text/plain', text: 'inside' } },
      { type: 'resource', resource: { uri: 'x://2', blob: 'AAA=' } },
      { type: 'hologram' },
      { type: 'text', text: 'last' },
    ];
    expect(resultText({ content, structuredContent: { a: 1 } }).split('\n')).toEqual([
      'first',
      '[image image/png, 1234 bytes]',
      '[audio audio/wav, 3 bytes]',
      '[link file:///a.txt]',
      '[resource x://1 text/plain]',
      'inside',
      '[resource x://2, 2 bytes]',
      '[hologram]',
      'last',
    ]);
  });

  it('gives structured content as JSON when there is no text, and says when its numbers are rounded', () => {
    expect(resultText({ content: [], structuredContent: { a: 1 } })).toBe('{"a":1}');
    expect(resultText({ content: [], structuredContent: JSON.parse('{"id":[2512292042121000001]}') })).toMatch(
      /\[numbers past 2\^53 above are rounded\]$/,
    );
  });

  it('gives a result of another shape whole, so that an answer never looks like none', () => {
    expect(resultText({ toolResult: 'old form' })).toBe('{"toolResult":"old form"}');
    expect(resultText({ content: 'text' })).toBe('{"content":"text"}');
  });

  it('names what is nested too deep instead of rendering it', () => {
    const deep: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
    expect(resultText({ content: [], structuredContent: deep })).toContain('not shown');
    expect(resultText({ toolResult: deep })).toContain('not shown');
    expect(resultText({ content: [{ type: 'text', text: 'paid' }, deep] })).toBe('paid\n[unreadable part]');
  });

  it('cuts with a visible note, never inside a pair', () => {
    expect(capText('abcdef', 6)).toBe('abcdef');
    expect(capText('abcdef', 4)).toBe('abcd\n[cut here: 4 of 6 characters are kept]');
    expect(capText('abc😀f', 4)).toBe('abc\n[cut here: 3 of 6 characters are kept]');
  });
});
