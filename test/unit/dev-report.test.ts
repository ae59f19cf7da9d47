import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closing, summary } from '../../electron/dev/report.mjs';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'holdpoint-report-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** Summary of a report with this content; undefined = the runner wrote none. */
function of(report: unknown, endedWell = true) {
  const file = join(home, 'report.json');
  if (report !== undefined) writeFileSync(file, typeof report === 'string' ? report : JSON.stringify(report));
  return summary('unit', file, endedWell);
}

const unit = (...statuses: string[]) => ({
  success: true,
  testResults: [
    {
      name: 'a.test.ts',
      status: 'passed',
      assertionResults: statuses.map((status) => ({ status, fullName: `a ${status}`, meta: {} })),
    },
  ],
});
const spec = (title: string, status: string, ...annotations: object[]) => ({ title, tests: [{ status, annotations }] });
const line = (report: unknown, endedWell = true) => closing([of(report, endedWell)]).lines.at(-1);
const isFine = (report: unknown, endedWell = true) => closing([of(report, endedWell)]).ok;

describe('closing line', () => {
  it('counts what Vitest reports', () => {
    expect(line(unit('passed', 'passed', 'failed'), false)).toBe('2 passed, 1 failed, 0 skipped');
    expect(isFine(unit('passed', 'passed', 'failed'), false)).toBe(false);
    expect(isFine(unit('passed'))).toBe(true);
  });

  it('counts what Playwright reports, nested suites too; passing at the second try is failing', () => {
    const report = {
      suites: [
        {
          title: 'a.spec.ts',
          specs: [spec('one', 'expected'), spec('two', 'flaky')],
          suites: [{ title: 'inner', specs: [spec('three', 'unexpected'), spec('four', 'expected')] }],
        },
      ],
      errors: [],
    };
    expect(line(report, false)).toBe('2 passed, 2 failed, 0 skipped');
  });

  it('adds up the runners', () => {
    const one = of(unit('passed', 'passed'));
    const two = of({ suites: [{ title: 'a', specs: [spec('one', 'expected')] }], errors: [] });
    expect(closing([one, two])).toEqual({ lines: ['3 passed, 0 failed, 0 skipped'], ok: true });
  });

  it('names each failed test, and the first line of why', () => {
    const reports = [
      of({
        success: false,
        testResults: [
          {
            name: 'a.test.ts',
            status: 'failed',
            assertionResults: [
              {
                status: 'failed',
                fullName: 'a is b',
                failureMessages: ['\u001b[31mAssertionError: 1 is not 2\u001b[0m\n  at a'],
              },
            ],
          },
          { name: 'b.test.ts', status: 'failed', message: '\nno such file', assertionResults: [] },
        ],
      }),
      of({
        suites: [
          {
            title: 'a',
            specs: [
              {
                title: 'opens',
                tests: [
                  { status: 'unexpected', annotations: [], results: [{ error: { message: 'timed out\nmore' } }] },
                ],
              },
            ],
          },
        ],
        errors: [{ message: 'no display' }],
      }),
    ];
    expect(closing(reports).lines).toEqual([
      'failed: unit: a is b: AssertionError: 1 is not 2',
      'failed: unit: b.test.ts: no such file',
      'failed: unit: opens: timed out',
      'failed: unit: outside of tests: no display',
      '0 passed, 4 failed, 0 skipped',
    ]);
  });

  it('gives the reason of each skip', () => {
    const report = {
      suites: [
        {
          title: 'a',
          specs: [spec('one', 'expected'), spec('two', 'skipped', { type: 'skip', description: 'needs a tray' })],
        },
      ],
      errors: [],
    };
    expect(closing([of(report)])).toEqual({
      lines: ['skipped: two: needs a tray', '1 passed, 0 failed, 1 skipped'],
      ok: true,
    });
  });

  it.each(['skipped', 'pending', 'todo'])('fails for a test that is %s without a reason', (status) => {
    expect(isFine(unit('passed', status))).toBe(false);
    expect(line(unit('passed', status))).toBe('1 passed, 0 failed, 1 skipped');
  });

  it.each([
    ['no report', undefined],
    ['half a report', '{"testResults":['],
    ['no test at all', { success: true, testResults: [] }],
    ['only skipped tests', unit('skipped')],
    ['no end-to-end test', { suites: [], errors: [] }],
  ])('fails for %s', (_name, report) => {
    expect(isFine(report)).toBe(false);
  });

  it('counts a file that could not be loaded as a failed test', () => {
    const report = unit('passed');
    report.testResults.push({ name: 'b.test.ts', status: 'failed', assertionResults: [] });
    expect(line(report, false)).toBe('1 passed, 1 failed, 0 skipped');
  });

  it('fails when the runner ended badly although no test failed', () => {
    expect(isFine(unit('passed'), false)).toBe(false);
  });

  it('counts errors outside of tests in Playwright', () => {
    const report = { suites: [{ title: 'a', specs: [spec('one', 'expected')] }], errors: [{ message: 'no display' }] };
    expect(line(report, false)).toBe('1 passed, 1 failed, 0 skipped');
  });
});
