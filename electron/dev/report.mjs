// @ts-check
// Reads what the test runners wrote, and says it in one plain line.
import { readFileSync } from 'node:fs';

/**
 * @typedef {{ test: string, why: string }} Failure
 * @typedef {{ name: string, passed: number, failed: number, failures: Failure[], skipped: { test: string, reason: string }[], problem?: string }} Summary
 * @typedef {{ status: string, fullName: string, failureMessages?: string[], meta?: { skipped?: string } }} UnitTest
 * @typedef {{ name: string, status: string, message?: string, assertionResults: UnitTest[] }} UnitFile
 * @typedef {{ success: boolean, testResults: UnitFile[] }} UnitReport
 * @typedef {{ status: string, annotations: { type: string, description?: string }[], results?: { error?: { message?: string } }[] }} EndToEndTest
 * @typedef {{ title: string, specs?: { title: string, tests: EndToEndTest[] }[], suites?: Suite[] }} Suite
 * @typedef {{ suites: Suite[], errors: { message?: string }[] }} EndToEndReport
 */

/** The first line that says something, without the terminal's colours. @param {string | undefined} text */
function firstLine(text = '') {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
  const plain = text.replaceAll(/\u001b\[[\d;]*m/g, '');
  return (plain.split('\n').find((line) => line.trim() !== '') ?? 'no message').trim().slice(0, 300);
}

/** Vitest's JSON report. A file that could not even be loaded counts as one failed test. @param {UnitReport} report */
function readUnit(report) {
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  const failures = [
    ...tests
      .filter((test) => test.status === 'failed')
      .map((test) => ({ test: test.fullName, why: firstLine(test.failureMessages?.[0]) })),
    ...unloaded.map((file) => ({ test: file.name, why: firstLine(file.message) })),
  ];
  return {
    passed: tests.filter((test) => test.status === 'passed').length,
    failed: failures.length,
    failures,
    skipped: tests
      .filter((test) => test.status !== 'passed' && test.status !== 'failed')
      .map((test) => ({ test: test.fullName, reason: test.meta?.skipped ?? '' })),
  };
}

/** @param {Suite} suite @returns {(EndToEndTest & { title: string })[]} */
function testsIn(suite) {
  const own = (suite.specs ?? []).flatMap((spec) => spec.tests.map((test) => ({ ...test, title: spec.title })));
  return [...own, ...(suite.suites ?? []).flatMap(testsIn)];
}

/** Playwright's JSON report. A test that passed only on a second try has failed. @param {EndToEndReport} report */
function readEndToEnd(report) {
  const tests = report.suites.flatMap(testsIn);
  const failures = [
    ...tests
      .filter((test) => test.status === 'unexpected' || test.status === 'flaky')
      .map((test) => ({
        test: test.title,
        why: firstLine(test.results?.find((result) => result.error)?.error?.message),
      })),
    ...report.errors.map(({ message }) => ({ test: 'outside of tests', why: firstLine(message) })),
  ];
  return {
    passed: tests.filter((test) => test.status === 'expected').length,
    failed: failures.length,
    failures,
    skipped: tests
      .filter((test) => test.status === 'skipped')
      .map((test) => ({
        test: test.title,
        reason: test.annotations.find((note) => note.type === 'skip' || note.type === 'fixme')?.description ?? '',
      })),
  };
}

/**
 * One runner's result from the report it wrote. No report, or one without a single test, is a problem of its own.
 * @param {string} name @param {string} file @param {boolean} endedWell the runner's own verdict
 * @returns {Summary}
 */
export function summary(name, file, endedWell) {
  const nothing = { name, passed: 0, failed: 0, failures: [], skipped: [] };
  let report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { ...nothing, problem: `${name} wrote no report` };
  }
  const counts = 'testResults' in report ? readUnit(report) : readEndToEnd(report);
  if (counts.passed + counts.failed === 0) return { name, ...counts, problem: `${name} ran no test` };
  if (!endedWell && counts.failed === 0)
    return { name, ...counts, problem: `${name} ended with an error outside its tests` };
  return { name, ...counts };
}

/**
 * What is printed at the end, the plain closing line last, and whether all is well: nothing failed, no runner had a
 * problem, and every skip says why.
 * @param {readonly Summary[]} summaries
 */
export function closing(summaries) {
  const skipped = summaries.flatMap((one) => one.skipped);
  const problems = summaries.flatMap((one) => (one.problem ? [one.problem] : []));
  for (const { test, reason } of skipped) if (!reason) problems.push(`skipped without a reason: ${test}`);
  const sum = (/** @type {'passed' | 'failed'} */ key) => summaries.reduce((total, one) => total + one[key], 0);
  const failed = sum('failed');
  const lines = [
    ...summaries.flatMap((one) => one.failures.map(({ test, why }) => `failed: ${one.name}: ${test}: ${why}`)),
    ...skipped.map(({ test, reason }) => `skipped: ${test}: ${reason || 'no reason given'}`),
    ...problems.map((text) => `problem: ${text}`),
    `${sum('passed')} passed, ${failed} failed, ${skipped.length} skipped`,
  ];
  return { lines, ok: failed === 0 && problems.length === 0 };
}
