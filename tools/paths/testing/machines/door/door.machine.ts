import { setup } from 'xstate'

/** All of it can be reached. */
export const doorMachine = setup({
  types: { events: {} as { type: 'push' } | { type: 'lock' } },
}).createMachine({
  id: 'door',
  initial: 'shut',
  states: {
    shut: { on: { push: 'open', lock: 'locked' } },
    open: { on: { push: 'shut' } },
    locked: { on: { lock: 'shut' } },
  },
})
