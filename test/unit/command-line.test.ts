import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../electron/cli/commands.js';
import { commandIn, ownArguments, pathsIn } from '../../electron/command-line.js';

describe('ownArguments', () => {
  it.each([
    [['holdpoint', 'list'], false, ['list']],
    [['holdpoint', '--no-sandbox', 'list'], false, ['--no-sandbox', 'list']],
    [['electron', '.', 'list'], true, ['list']],
    [['electron', '--no-sandbox', '--disable-gpu', '/app', 'show', 'R'], true, ['show', 'R']],
    [['electron', '/app'], true, []],
    [['electron'], true, []],
  ])('of %j (unpackaged: %s) are %j', (argv, unpackaged, own) => {
    expect(ownArguments(argv, unpackaged)).toEqual(own);
  });
});

describe('commandIn', () => {
  it('knows every command of the command line, so that the packaged application answers all of them', () => {
    const names = [...COMMANDS.map(({ name }) => name), 'help'];
    expect(names.filter((name) => commandIn([name]) === null)).toEqual([]);
  });

  it.each([
    [['list'], ['list']],
    [
      ['list', '--json'],
      ['list', '--json'],
    ],
    [
      ['--no-sandbox', 'await', 'R', '--token', 'T'],
      ['await', 'R', '--token', 'T'],
    ],
    [
      ['--data', '/folder', 'doctor'],
      ['--data', '/folder', 'doctor'],
    ],
    [
      ['--data', 'list', 'gc', '--dry-run'],
      ['--data', 'list', 'gc', '--dry-run'],
    ],
    [
      ['--json', 'list'],
      ['--json', 'list'],
    ],
    [['help'], ['help']],
  ])('%j is the command %j', (args, command) => {
    expect(commandIn(args)).toEqual(command);
  });

  it.each([
    [[]],
    [['--no-sandbox']],
    [['--data', '/folder']],
    [['--data', 'list']],
    [['record.json']],
    [['record.json', 'list']],
    [['./list']],
    [['holdpoint://list']],
    [['approve', 'R']],
    [['decide', 'R']],
  ])('%j asks for the window', (args) => {
    expect(commandIn(args)).toBeNull();
  });
});

describe('pathsIn', () => {
  it.each([
    [[], []],
    [['record.json'], ['/here/record.json']],
    [
      ['--no-sandbox', '/there/a', 'b'],
      ['/there/a', '/here/b'],
    ],
    [['--data', '/folder', 'record.json'], ['/here/record.json']],
    [['holdpoint://run/1'], []],
  ])('of %j are %j', (args, paths) => {
    expect(pathsIn(args, '/here')).toEqual(paths);
  });
});
