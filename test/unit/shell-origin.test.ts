import { describe, expect, it } from 'vitest';
import { isApproveControl, isPage, isSameOrigin } from '../../electron/shell/origin.js';

const APP = 'app://holdpoint/';

describe('isSameOrigin', () => {
  it.each([
    ['app://holdpoint/', APP],
    ['app://holdpoint/any/path?x#y', APP],
    ['http://localhost:5173/x', 'http://localhost:5173/'],
  ])('%s has the origin of %s', (url, other) => {
    expect(isSameOrigin(url, other)).toBe(true);
  });

  it.each([
    ['app://holdpoint.evil/', APP],
    ['app://holdpoint@evil/', APP],
    ['app://evil@holdpoint/', APP],
    ['app://:x@holdpoint/', APP],
    ['app://holdpoint:1/', APP],
    ['app-approve://holdpoint/', APP],
    ['https://holdpoint/', APP],
    ['http://localhost:51731/', 'http://localhost:5173/'],
    ['http://localhost:5173.evil/', 'http://localhost:5173/'],
    ['about:blank', 'about:srcdoc'],
    ['data:text/html,x', 'data:text/html,y'],
    ['app://', APP],
    ['', APP],
    ['not a url', 'not a url'],
  ])('%j has not the origin of %s', (url, other) => {
    expect(isSameOrigin(url, other)).toBe(false);
  });
});

describe('isPage', () => {
  it.each(['app://holdpoint/', 'app://holdpoint/#run/1'])('%s is the page', (url) => {
    expect(isPage(url, APP)).toBe(true);
  });

  it.each(['app://holdpoint/x', 'app://holdpoint/?x', 'app://holdpoint//', 'javascript:alert(1)', 'file:///'])(
    '%s is not',
    (url) => {
      expect(isPage(url, APP)).toBe(false);
    },
  );
});

describe('isApproveControl', () => {
  const control = {
    url: 'app-approve://holdpoint/approve.html',
    origin: 'app-approve://holdpoint',
    top: false,
    within: APP,
  };

  it('is the one document of its origin, in a frame of the page', () => {
    expect(isApproveControl(control, APP)).toBe(true);
  });

  it.each([
    ['the page itself', { url: APP, origin: 'app://holdpoint', top: true, within: null }],
    ['a frame of the page’s own origin', { url: APP, origin: 'app://holdpoint' }],
    ['its document as a window', { top: true, within: null }],
    ['a frame in a frame', { within: null }],
    ['a frame in another page', { within: 'app://holdpoint.evil/' }],
    ['a sandboxed frame, which has no origin', { origin: 'null' }],
    ['another document of its origin', { url: 'app-approve://holdpoint/' }],
    ['another host', { url: 'app-approve://evil/approve.html', origin: 'app-approve://evil' }],
  ])('%s is not', (_name, change) => {
    expect(isApproveControl({ ...control, ...change }, APP)).toBe(false);
  });
});
