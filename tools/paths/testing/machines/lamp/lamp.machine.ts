import { setup } from 'xstate'

/** Its samples leave things out, and one guard never holds. */
export const lampMachine = setup({
  types: { events: {} as { type: 'press' } | { type: 'break' } },
  guards: { isDaylight: () => false },
}).createMachine({
  id: 'lamp',
  initial: 'off',
  states: {
    off: { on: { press: [{ guard: 'isDaylight', target: 'off' }, { target: 'on' }] } },
    on: { on: { press: 'off', break: 'broken' } },
    broken: {},
    stored: {},
  },
})
