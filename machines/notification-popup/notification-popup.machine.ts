import { assign, setup } from 'xstate'
import type { Notification } from '../contracts/entities/notifications.ts'

type Context = {
  /** the newest of those the popup tells of; null where it only knows how many were missed */
  newest: Notification | null
  /** how many it tells of, and how many of them it says already */
  count: number
  told: number
}
type Event =
  | { type: 'notify'; notification: Notification }
  /** so many came while nobody could be told one by one */
  | { type: 'missed'; count: number }
  /** it was closed, pressed, or its time is over */
  | { type: 'gone' }

/** One popup for what came live: a burst, and what comes while it is shown, are joined in it with their count. */
export const notificationPopupMachine = setup({
  types: { context: {} as Context, events: {} as Event },
  delays: {
    /** the documents' pause between a notification and its popup */
    popupDelay: 10,
    /** between two changes of a popup that is shown: a storm is no flicker */
    joinDelay: 250,
  },
  actions: {
    /** shows the popup, or changes the one that is shown */
    show: () => {},
    add: assign(add),
    addMissed: assign(addMissed),
    noteShown: assign(noteShown),
    keepUnshown: assign(keepUnshown),
    forget: assign({ newest: null, count: 0, told: 0 }),
  },
}).createMachine({
  id: 'notification-popup',
  context: { newest: null, count: 0, told: 0 },
  initial: 'quiet',
  states: {
    quiet: {
      entry: 'forget',
      on: {
        notify: { target: 'raising', actions: { type: 'add', params: ({ event }) => event } },
        missed: { target: 'raising', actions: { type: 'addMissed', params: ({ event }) => event } },
      },
    },
    /** what comes in this moment is told with the first */
    raising: {
      on: {
        notify: { actions: { type: 'add', params: ({ event }) => event } },
        missed: { actions: { type: 'addMissed', params: ({ event }) => event } },
      },
      after: { popupDelay: 'shown' },
    },
    shown: {
      entry: ['show', 'noteShown'],
      on: {
        notify: { target: 'joining', actions: { type: 'add', params: ({ event }) => event } },
        missed: { target: 'joining', actions: { type: 'addMissed', params: ({ event }) => event } },
        gone: 'quiet',
      },
    },
    joining: {
      on: {
        notify: { actions: { type: 'add', params: ({ event }) => event } },
        missed: { actions: { type: 'addMissed', params: ({ event }) => event } },
        gone: { target: 'raising', actions: 'keepUnshown' },
      },
      after: { joinDelay: 'shown' },
    },
  },
})

type Args = { context: Context }

function add({ context }: Args, { notification }: { notification: Notification }): Partial<Context> {
  return { newest: notification, count: context.count + 1 }
}

function addMissed({ context }: Args, { count }: { count: number }): Partial<Context> {
  return { count: context.count + count }
}

function noteShown({ context }: Args): Partial<Context> {
  return { told: context.count }
}

function keepUnshown({ context }: Args): Partial<Context> {
  return { count: context.count - context.told, told: 0 }
}
