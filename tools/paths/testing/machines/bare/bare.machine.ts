import { createMachine } from 'xstate'

/** Nobody has written samples for it. */
export const bareMachine = createMachine({ id: 'bare', initial: 'here', states: { here: {} } })
