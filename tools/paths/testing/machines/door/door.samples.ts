import { doorMachine } from './door.machine.ts'

export const model = {
  name: 'door',
  kind: 'domain' as const,
  machine: doorMachine,
  events: [{ type: 'push' }, { type: 'lock' }],
  describe: ({ type }: { type: string }): string => (type === 'push' ? 'a *push* | of <one> hand' : 'a key'),
}
