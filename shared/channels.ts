/** Channel names only: the sandboxed preload imports this and nothing heavier. */
export const INVOKE_CHANNELS = [
  'app:info',
  'app:health',
  'app:wanted',
  'app:attention',
  'queue:show',
  'queue:state',
  'queue:rows',
  'queue:fold',
  'queue:where',
  'queue:next',
  'run:successor',
  'run:open',
  'run:argument',
  'run:message',
  'run:result',
  'run:raw',
  'run:file',
  'run:export',
  'run:draft',
  'answer:pick',
  'answer:bytes',
  'run:snooze',
  'run:route',
  'decide:submit',
  'decide:undo',
  'decide:object',
  'approve:offer',
  'approve:withdraw',
  'resume:cancel',
  'resume:reconcile',
  'resume:release',
  'resume:claim-given-up',
  'intake:bytes',
  'intake:pick',
  'link:open',
  'samples:add',
  'history:list',
  'insight:read',
  'history:export',
  'folder:choose',
  'folder:move',
  'backup:export',
  'backup:preview',
  'backup:import',
  'gc:sweep',
  'store:take-over',
  'settings:get',
  'settings:set',
  'secret:set',
  'server:test',
  'model:test',
] as const;
/** The approve control's own, in the frame of its own origin: nothing here is answered to the page. */
export const APPROVE_CHANNELS = ['approve:view', 'approve:confirm', 'approve:leave'] as const;
export const APPROVE_EVENTS = ['approve:changed'] as const;
/** `approve:taken`: what was proposed has been confirmed; its outcome follows as the answer to the proposal. */
export const EVENT_CHANNELS = [
  'runs:changed',
  'settings:changed',
  'gc:changed',
  'app:wanted',
  'approve:taken',
] as const;
export type InvokeChannel = (typeof INVOKE_CHANNELS)[number];
export type EventChannel = (typeof EVENT_CHANNELS)[number];
export type ApproveChannel = (typeof APPROVE_CHANNELS)[number];
export type ApproveEvent = (typeof APPROVE_EVENTS)[number];
