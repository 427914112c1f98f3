import type { AnyEventObject } from 'xstate'
import { activationLinkMachine } from './activation-link.machine.ts'

const done = (id: string, output: unknown): AnyEventObject => ({ type: `xstate.done.actor.${id}`, output })
const failed = (id: string, error: unknown): AnyEventObject => ({ type: `xstate.error.actor.${id}`, error })

export const model = {
  name: 'activation-link',
  kind: 'screen' as const,
  machine: activationLinkMachine,
  input: { token: 'link-1', isSomebodyIn: true },
  events: [
    { type: 'signed-out' },
    { type: 'password.chosen', password: 'Fr0st#line25' },
    { type: 'resend' },
    { type: 'retry' },
    done('checkLink', { success: 1, message: 'valid' }),
    done('checkLink', { success: 0, message: 'expired' }),
    done('checkLink', { success: -1, message: 'used' }),
    failed('checkLink', { isRefusal: true, message: 'Not found' }),
    failed('checkLink', { isRefusal: false, message: 'no answer' }),
    done('resendLink', { message: 'sent' }),
    failed('resendLink', { isRefusal: true, message: 'Too many requests' }),
    done('setPassword', { success: true, message: 'set' }),
    done('setPassword', { success: false, message: 'expired' }),
    failed('setPassword', { isRefusal: false, message: 'no answer' }),
  ],
  describe: (event: AnyEventObject): string => words[keyOf(event)] ?? event.type,
}

function keyOf({ type, output, error }: AnyEventObject): string {
  if (output?.success !== undefined) return `${type} ${output.success}`
  return error === undefined ? type : `${type} ${error.isRefusal}`
}

const words: Record<string, string> = {
  'signed-out': 'the other user logging out',
  'password.chosen': 'a password being chosen',
  resend: 'Resend Link',
  retry: 'trying again',
  'xstate.done.actor.checkLink 1': 'the server calling the link good',
  'xstate.done.actor.checkLink 0': 'the server calling it expired',
  'xstate.done.actor.checkLink -1': 'the server calling it used',
  'xstate.error.actor.checkLink true': 'the server not knowing it',
  'xstate.error.actor.checkLink false': 'no answer to the check',
  'xstate.done.actor.resendLink': 'another mail going out',
  'xstate.error.actor.resendLink true': 'the server refusing another mail',
  'xstate.done.actor.setPassword true': 'the password being set',
  'xstate.done.actor.setPassword false': 'the link having run out meanwhile',
  'xstate.error.actor.setPassword false': 'no answer to the password',
}
