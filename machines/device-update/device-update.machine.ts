import { assign, fromPromise, setup } from 'xstate'

/** What of a device can be changed: its name and the group it belongs to. */
export type DeviceFields = { name: string; groupId: string | null }
/** A change that passed the form's checks. */
export type DeviceChange = { imei: string; name: string; groupId: string }

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

/** The 'Device Update' form: filled in, saved once however often Save is pressed, refused with a reason. */
export const deviceUpdateMachine = setup({
  types: { context: {} as Context, events: {} as Event, input: {} as Input },
  actors: {
    saveDevice: fromPromise<void, DeviceChange>(() => Promise.reject(NOT_PROVIDED)),
  },
  guards: {
    isFaulty: ({ context }) => faultOf(context.now) !== null,
    isUnchanged: ({ context: { before, now } }) =>
      now.name.trim() === before.name && now.groupId === before.groupId,
  },
  actions: {
    /** says that it is saved */
    announce: () => {},
    setName: assign({
      now: ({ context }, { name }: { name: string }) => ({ ...context.now, name }),
      messages: ({ context }) => ({ ...context.messages, name: null }),
      error: null,
    }),
    setGroup: assign({
      now: ({ context }, { groupId }: { groupId: string }) => ({ ...context.now, groupId }),
      messages: ({ context }) => ({ ...context.messages, groupId: null }),
      error: null,
    }),
    refuse: assign({ messages: ({ context }) => faultOf(context.now) ?? NO_MESSAGES }),
    forgetError: assign({ messages: () => NO_MESSAGES, error: null }),
    keepError: assign({
      error: (_, { error }: { error: unknown }) => (error instanceof Error ? error.message : String(error)),
    }),
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
        input: ({ context: { imei, now } }) => ({
          imei,
          name: now.name.trim(),
          groupId: now.groupId as string,
        }),
        onDone: { target: 'saved', actions: 'announce' },
        onError: { target: 'editing', actions: { type: 'keepError', params: ({ event }) => event } },
      },
    },
    saved: { type: 'final' },
    closed: { type: 'final' },
  },
})

const NOT_PROVIDED = new Error('saveDevice is provided by the portal')
const NO_MESSAGES = { name: null, groupId: null }

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
