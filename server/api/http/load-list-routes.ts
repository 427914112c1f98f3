import multipart from '@fastify/multipart'
import type { CommandData } from '#machines/contracts/commands.ts'
import { LOAD_FILE_BYTES, type LoadLineFault, MOST_LINE_FAULTS } from '#machines/contracts/entities/loads.ts'
import { loadLines } from '#machines/rules/load-list.ts'
import { openListed } from '../../commands/loads/open-load.ts'
import { loadStream } from '../../commands/profiles/set-profile.ts'
import { newId } from '../../commands/repeatable.ts'
import type { HttpContext } from './context.ts'
import { fileOf } from './form-file.ts'
import { ApiError, refusal } from './refusals.ts'

type Deps = Pick<HttpContext, 'app' | 'answerCall' | 'execute' | 'readModels'>

/** Lists that an address may send a minute. */
const LISTS_A_MINUTE = 10

/** Loads opened by a list. */
export async function loadListRoutes({ app, answerCall, execute, readModels }: Deps): Promise<void> {
  await app.register(async (forms) => {
    await forms.register(multipart, {
      throwFileSizeLimit: false,
      limits: { fileSize: LOAD_FILE_BYTES, files: 1, fields: 4, fieldSize: 1024, parts: 5, headerPairs: 20 },
    })
    answerCall(
      'openLoads',
      async ({ query, visitor, request }) => {
        const text = new TextDecoder().decode(await fileOf(request, { bytes: LOAD_FILE_BYTES, kinds: 'CSV' }))
        const { companyId, groupId: topId, userId } = visitor
        const timeZone = readModels.directory.companies.get(companyId)?.timeZone ?? 'UTC'
        const read = loadLines(text, timeZone)
        if (typeof read === 'string') throw new ApiError(422, read, { path: 'file' })
        const { loads, lines } = read
        const goodOnly = query.only === 'good-lines'
        let faults: LoadLineFault[] = read.faults
        let opened = 0
        if (loads.length > 0 && (read.faults.length === 0 || goodOnly)) {
          const data: CommandData<'load.open-listed'> = {
            loads: loads.map((load) => ({ ...load, loadId: newId('ld') })),
            goodOnly,
          }
          const { facts, refused } = await execute(
            loadStream(companyId),
            { type: 'load.open-listed', by: userId, data },
            (state, command) => {
              const decision = openListed(state, command, { companyId, topId })
              faults = [...read.faults, ...decision.faults]
              return decision
            },
          )
          if (refused) throw refusal(refused)
          opened = facts.filter(({ type }) => type === 'load.opened').length
        }
        const sorted = faults.toSorted((a, b) => a.line - b.line)
        return { opened, lines, faulty: sorted.length, faults: sorted.slice(0, MOST_LINE_FAULTS) }
      },
      { perMinute: LISTS_A_MINUTE, on: forms },
    )
  })
}
