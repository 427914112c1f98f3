import { lampMachine } from './lamp.machine.ts'

export const model = {
  name: 'lamp',
  kind: 'domain' as const,
  machine: lampMachine,
  events: [{ type: 'press' }],
}
