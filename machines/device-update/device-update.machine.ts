import { assign, fromPromise, setup } from 'xstate'
import { CHANGED_MEANWHILE } from '../contracts/entities/changes.ts'
import { messageOf } from '../rules/message-of.ts'

/** What of a device can be changed: its name and the group it belongs to. */
export type DeviceFields = { name: string; groupId: string | null }
/**
 * A change that passed the form's checks; what is left out was not touched, and may be another by now. `before`: what was there when
 * the window opened, or was taken over since.
 */
export type DeviceChange = { imei: string; before: DeviceFields; name?: string; groupId?: string }

/** `now`: what was typed before the page had to be loaded anew */
type Input = { imei: string; now?: DeviceFields | undefined } & DeviceFields
type Context = {
  imei: string
  before: DeviceFields
  now: DeviceFields
  /** what is wrong with a field, in the documents' words; null where nothing is */
  messages: { name: string | null; groupId: string | null }
  /** why the server did not take it */
  error: string | null
}
type Event =
  | { type: 'name.changed'; name: string }
  | { type: 'group.changed'; groupId: string }
  | { type: 'save' }
  | { type: 'close' }

const NO_MESSAGES: Context['messages'] = { name: null, groupId: null }

/** The 'Device Update' form: filled in, saved once however often Save is pressed, refused with a reason. */
export const deviceUpdateMachine = setup({
  types: { context: {} as Context, events: {} as Event, input: {} as Input },
  actors: {
    /** answers what somebody else made of it meanwhile, where they touched the same; undefined: it is saved */
    saveDevice: fromPromise<DeviceFields | undefined, DeviceChange>(notProvided),
  },
  guards: { isFaulty, isUnchanged, isTheirs },
  actions: {
    /** says that it is saved */
    announce: () => {},
    setName: assign(setName),
    setGroup: assign(setGroup),
    refuse: assign(refuse),
    forgetError: assign({ messages: NO_MESSAGES, error: null }),
    keepError: assign(keepError),
    takeTheirs: assign(takeTheirs),
  },
}).createMachine({
  id: 'device-update',
  context: ({ input: { imei, name, groupId, now } }) => ({
    imei,
    before: { name, groupId },
    now: now ?? { name, groupId },
    messages: NO_MESSAGES,
    error: null,
  }),
  initial: 'editing',
  states: {
    editing: {
      on: {
        'name.changed': { actions: { type: 'setName', params: ({ event }) => event } },
        'group.changed': { actions: { type: 'setGroup', params: ({ event }) => event } },
        save: [
          { guard: 'isFaulty', actions: 'refuse' },
          { guard: 'isUnchanged', target: 'closed' },
          { target: 'saving' },
        ],
        close: 'closed',
      },
    },
    saving: {
      entry: 'forgetError',
      invoke: {
        id: 'saveDevice',
        src: 'saveDevice',
        input: ({ context }) => changeOf(context),
        onDone: [
          {
            guard: { type: 'isTheirs', params: ({ event }) => ({ theirs: event.output }) },
            target: 'editing',
            actions: { type: 'takeTheirs', params: ({ event }) => ({ theirs: event.output }) },
          },
          { target: 'saved', actions: 'announce' },
        ],
        onError: { target: 'editing', actions: { type: 'keepError', params: ({ event }) => event } },
      },
    },
    saved: { type: 'final' },
    closed: { type: 'final' },
  },
})

/** As the contract of the call has it. */
const LONGEST_NAME = 200

function faultOf({ name, groupId }: DeviceFields): Context['messages'] | null {
  const trimmed = name.trim()
  const messages = {
    name:
      trimmed === ''
        ? 'This field is required'
        : trimmed.length > LONGEST_NAME
          ? `Max ${LONGEST_NAME} characters are allowed in name`
          : null,
    groupId: groupId === null ? 'Please select a group' : null,
  }
  return messages.name === null && messages.groupId === null ? null : messages
}

type Args = { context: Context }

function isFaulty({ context }: Args): boolean {
  return faultOf(context.now) !== null
}

function isUnchanged({ context: { before, now } }: Args): boolean {
  return now.name.trim() === before.name && now.groupId === before.groupId
}

type Theirs = { theirs: DeviceFields | undefined }

function isTheirs(_: unknown, { theirs }: Theirs): boolean {
  return theirs !== undefined
}

/** What was typed stays; what was not touched is theirs. Saved once more, it is a change of what they made. */
function takeTheirs({ context: { before, now } }: Args, { theirs }: Theirs): Partial<Context> {
  if (theirs === undefined) return {}
  const isNamed = now.name.trim() !== before.name
  const isMoved = now.groupId !== before.groupId
  const made = [
    isNamed && ![before.name, now.name.trim()].includes(theirs.name) && `it is named ${theirs.name} now`,
    isMoved && ![before.groupId, now.groupId].includes(theirs.groupId) && 'it is in another group now',
  ].filter((one) => one !== false)
  return {
    before: theirs,
    now: { name: isNamed ? now.name : theirs.name, groupId: isMoved ? now.groupId : theirs.groupId },
    error: `${[CHANGED_MEANWHILE, made.join(', ')].filter(Boolean).join(': ')}. Save again to have it your way.`,
  }
}

function changeOf({ imei, before, now }: Context): DeviceChange {
  const name = now.name.trim()
  return {
    imei,
    before,
    ...(name !== before.name && { name }),
    ...(now.groupId !== null && now.groupId !== before.groupId && { groupId: now.groupId }),
  }
}

function setName({ context: { now, messages } }: Args, { name }: { name: string }): Partial<Context> {
  return { now: { ...now, name }, messages: { ...messages, name: null }, error: null }
}

function setGroup({ context: { now, messages } }: Args, { groupId }: { groupId: string }): Partial<Context> {
  return { now: { ...now, groupId }, messages: { ...messages, groupId: null }, error: null }
}

function refuse({ context: { now } }: Args): Partial<Context> {
  return { messages: faultOf(now) ?? NO_MESSAGES }
}

function keepError(_: unknown, { error }: { error: unknown }): Partial<Context> {
  return { error: messageOf(error) }
}

function notProvided(): Promise<never> {
  return Promise.reject(new Error('saveDevice is provided by the portal'))
}
