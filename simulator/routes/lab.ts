/** The calls of `/lab`, where testers look at machines: beside those of sim.ts, behind the same gate. */
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import type { Struct } from 'superstruct'
import { LAB_CALLS, type LabCoverage, type LabRunOrder } from '#machines/contracts/calls/lab-calls.ts'
import { ContractError, decode } from '#machines/contracts/decode.ts'
import { refused } from '../../server/ports.ts'
import type { BrowserRuns } from '../lab/browser-runs.ts'
import { forwardToLead } from './forward-to-leader.ts'
import { type SimGate, simGate } from './sim-gate.ts'

export type LabDeps = SimGate & {
  /** @throws Error where what was left there cannot be read */
  coverage(): LabCoverage
  isKnown(order: LabRunOrder): Promise<boolean>
  runs: BrowserRuns
}

async function lab(app: FastifyInstance, deps: LabDeps): Promise<void> {
  app.addHook('onRequest', simGate(deps))
  // runs are remembered by who started them
  if (deps.nodes) await forwardToLead(app, deps.nodes)

  app.get('/sim/lab/coverage', async () => {
    try {
      return deps.coverage()
    } catch (error) {
      throw refused(500, (error as Error).message)
    }
  })

  app.post('/sim/lab/runs', async (request, reply) => {
    const order = taken(request.body, LAB_CALLS.startLabRun.body, 'run')
    if (!(await deps.isKnown(order))) throw refused(404, 'There is no such machine or transition')
    const run = deps.runs.start(order)
    if (run === 'busy') throw refused(409, 'A browser walks already; there is one at a time')
    return reply.code(202).send(run)
  })
  app.get<{ Params: { id: string } }>('/sim/lab/runs/:id', async ({ params }) =>
    found(deps.runs.find(params.id)),
  )
  app.delete<{ Params: { id: string } }>('/sim/lab/runs/:id', async ({ params }) =>
    found(deps.runs.cancel(params.id)),
  )
}

export const labPlugin = fp(lab, { name: 'lab', fastify: '5.x', encapsulate: true })

function taken<T, S>(value: unknown, struct: Struct<T, S>, what: string): T {
  try {
    return decode(value, struct, what)
  } catch (error) {
    if (error instanceof ContractError) throw refused(400, error.message)
    throw error
  }
}

function found<T>(run: T | undefined): T {
  if (run === undefined) throw refused(404, 'There is no such run')
  return run
}
