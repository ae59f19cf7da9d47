import { expect, test } from 'vitest';
import { placeOfWarning } from '../../renderer/run/warning-place.js';
import { makeCall } from '../dom/samples.js';

const at = (path: string, paths?: string[]) =>
  placeOfWarning(path, makeCall('{}', { index: 1, change: paths ? { paths } : {} }));
const argument = (path: string) => ({ part: 'argument', path });

test('the place of a warning is read from its path, whatever the system calls its arguments', () => {
  expect(at('pending_tool_calls[1].args.to')).toEqual(argument('to'));
  expect(at('pending_tool_calls[1].args')).toEqual(argument(''));
  expect(at('pending_tool_calls[1].args.args.to')).toEqual(argument('args.to'));
  expect(at('pending_tool_calls[1].args["a b"][0]')).toEqual(argument('["a b"][0]'));
  expect(at('held[1].function.arguments.x', ['held[1]'])).toEqual(argument('x'));
  expect(at('payload.proposal.args.x', ['payload.proposal', 'payload.proposal'])).toEqual(argument('args.x'));
  expect(at('items[3].text.x', ['evidence[0]', 'items[3].text'])).toEqual(argument('x'));
  expect(at('pending_tool_calls[1].name')).toEqual({ part: 'name' });
  expect(at('pending_tool_calls[1].id')).toEqual({ part: 'id' });
  expect(at('messages[12].content')).toEqual({ part: 'message', index: 12 });
  expect(at('pending_tool_calls[11].args.x')).toEqual({ part: 'record' });
  expect(at('created_at')).toEqual({ part: 'record' });
});
