import { SEAL_KEYS_PATH, type SealKeys } from '#machines/contracts/entities/seals.ts'
import { isWithin } from '#machines/projections/directory.ts'
import { hasFiles } from '#machines/projections/reports.ts'
import { mailStateOf } from '#machines/projections/scheduled-mail.ts'
import { headAddress } from '#machines/projections/settings.ts'
import { headAddressVersion } from '#machines/projections/versions.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { maySetHeadAddress, setHeadAddress } from '../../commands/settings/head-address.ts'
import { STRUCTURE } from '../../commands/structure.ts'
import { keysOf } from '../../jobs/seals/keys.ts'
import type { HttpContext } from './context.ts'
import { ApiError, notFound } from './refusals.ts'
import { NOT_SIGNED_YET } from './sealed-zip.ts'
import { ifVersion, refusedEdit, versioned } from './versions.ts'

/** Proofs an address may ask for a minute: each reads some tiles of the tree. */
const PROOFS_A_MINUTE = 120

type Deps = Pick<
  HttpContext,
  'app' | 'answerCall' | 'readModels' | 'store' | 'seals' | 'clock' | 'visible' | 'execute'
>

const begunAnew = (after: number): string =>
  `The tree over this record was begun anew after entry ${after}, as the one before could not be read. This head is of the one before: hold it against a backup of then.`

/** What shows that the record, and a report of it, is what it was. */
export function sealRoutes(deps: Deps): void {
  const { app, answerCall, readModels, store, seals, clock } = deps
  headAddressRoutes(deps)
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
      const anew = await seals.begunAnewAfter()
      if (anew !== undefined && query.from <= anew) throw new ApiError(409, begunAnew(anew))
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

/** Whom a company chose to keep the daily heads. */
function headAddressRoutes({ answerCall, visible, execute, readModels: { directory } }: Deps): void {
  const answerOf = (companyId: string, visitor: Visitor) => {
    const { address } = headAddress(directory.settings, companyId)
    return {
      address: address ?? '',
      sends: address === null ? null : mailStateOf(directory, companyId, address),
      mayChange: maySetHeadAddress(directory, visitor),
      version: headAddressVersion(directory, companyId),
    }
  }

  answerCall('headAddress', ({ params, visitor, reply }) =>
    versioned(reply, answerOf(visible.company(visitor, params.companyId).companyId, visitor)),
  )

  answerCall('updateHeadAddress', async ({ params, body, visitor, request, reply }) => {
    const { companyId } = params
    const { refused } = await execute(
      STRUCTURE,
      {
        type: 'company.set-head-address',
        by: visitor.userId,
        data: { companyId, address: body.address, ifVersion: ifVersion(request) },
      },
      (state, command) => setHeadAddress(state, command, visitor),
    )
    const current = () => answerOf(companyId, visitor)
    if (refused) throw refusedEdit(refused, current, { by: null, at: null })
    return versioned(reply, current())
  })
}
