import { lasting } from '../network/network-faults.ts'
import type { SimDeps } from '../routes/sim.ts'
import type { DirectorParts } from './director-parts.ts'
import { type Undo, undoNow } from './undo.ts'
import { networkFaultSentence, networkFaultWords } from './words.ts'

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
    if (action !== undefined) return undoNow(run, undo, action)
    return run.between(async () => {
      const ended = network.end(id)
      if (ended === undefined) return false
      await actions.note({ do: 'link.lift', faultId: id }, `Lifted: ${networkFaultWords(ended)}`)
      return true
    })
  },
})
