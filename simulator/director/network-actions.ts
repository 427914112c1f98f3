import { lasting } from '../network/network-faults.ts'
import type { SimDeps } from '../routes/sim.ts'
import type { DirectorParts } from './director-parts.ts'
import { type Undo, undoNow } from './undo.ts'
import { networkFaultSentence } from './words.ts'

type Deps = Pick<DirectorParts, 'actions' | 'network' | 'run'> & { undo: Undo }

/** The network is made bad for a while and good again; each done is remembered with a sentence. */
export const createNetworkActions = ({ actions, network, run, undo }: Deps): SimDeps['network'] => ({
  list: network.list,
  async begin({ forSeconds, ...order }) {
    const fault = network.begin(order, lasting(forSeconds * 1000))
    const done = { do: 'link.fault' as const, ...order, forSeconds }
    await actions.note(done, networkFaultSentence(done), { id: fault.id })
    return fault
  },
  async end(id) {
    const action = actions.find(id)
    return action === undefined ? network.end(id) !== undefined : undoNow(run, undo, action)
  },
})
