import { SEAL_KEYS_PATH, type SealKeys } from '#machines/contracts/entities/seals.ts'
import { isWithin } from '#machines/projections/directory.ts'
import { hasFiles } from '#machines/projections/reports.ts'
import { keysOf } from '../../jobs/seals/keys.ts'
import type { HttpContext } from './context.ts'
import { ApiError, notFound } from './refusals.ts'
import { NOT_SIGNED_YET } from './sealed-zip.ts'

/** Proofs an address may ask for a minute: each reads some tiles of the tree. */
const PROOFS_A_MINUTE = 120

type Deps = Pick<HttpContext, 'app' | 'answerCall' | 'readModels' | 'store' | 'seals' | 'clock'>

/** What shows that the record, and a report of it, is what it was. */
export function sealRoutes({ app, answerCall, readModels, store, seals, clock }: Deps): void {
  const keys = (): SealKeys => ({ is: 'frostline-seal-keys', keys: keysOf(store.log) })
  answerCall('sealKeys', keys)
  // where programs look for what a site says of itself (RFC 8615)
  app.get(SEAL_KEYS_PATH, (_request, reply) =>
    reply.header('access-control-allow-origin', '*').header('cache-control', 'no-cache').send(keys()),
  )

  answerCall(
    'sealHead',
    async ({ query, reply }) => {
      reply.header('cache-control', 'no-store')
      const head = await seals.head(query.size)
      if (head === undefined) throw notFound()
      return head
    },
    { perMinute: PROOFS_A_MINUTE },
  )
  answerCall(
    'sealConsistency',
    async ({ query, reply }) => {
      reply.header('cache-control', 'no-store')
      const proof = await seals.consistency(query.from)
      if (proof === undefined) throw notFound()
      return proof
    },
    { perMinute: PROOFS_A_MINUTE },
  )
  answerCall(
    'sealInclusion',
    async ({ params, reply }) => {
      reply.header('cache-control', 'no-store')
      const proof = await seals.inclusion(params.seq)
      if (proof === undefined) throw notFound()
      return proof
    },
    { perMinute: PROOFS_A_MINUTE },
  )

  answerCall('reportSeal', async ({ params, visitor, reply }) => {
    reply.header('cache-control', 'private, no-store')
    const { directory } = readModels
    const report = directory.reports.get(params.id)
    if (report === undefined || !isWithin(directory, report.groupId, visitor.groupId)) throw notFound()
    if (!hasFiles(report, clock.now())) throw notFound()
    const seal = await seals.ofReport(report)
    if (seal === undefined) throw new ApiError(409, NOT_SIGNED_YET)
    return seal
  })
}
