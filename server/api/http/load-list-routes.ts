import multipart from '@fastify/multipart'
import type { CommandData } from '#machines/contracts/commands.ts'
import { LOAD_FILE_BYTES, MOST_LINE_FAULTS } from '#machines/contracts/entities/loads.ts'
import { loadLines } from '#machines/rules/load-list.ts'
import { decided } from '../../commands/decision.ts'
import { type ListDecision, workLoadList } from '../../commands/loads/load-list.ts'
import { loadStream } from '../../commands/profiles/set-profile.ts'
import { newId } from '../../commands/repeatable.ts'
import type { HttpContext } from './context.ts'
import { fileOf } from './form-file.ts'
import { ApiError, refusal } from './refusals.ts'

type Deps = Pick<HttpContext, 'app' | 'answerCall' | 'execute' | 'readModels'>

/** Lists that an address may send a minute. */
const LISTS_A_MINUTE = 10

/** Loads opened and closed by a list. */
export async function loadListRoutes({ app, answerCall, execute, readModels }: Deps): Promise<void> {
  await app.register(async (forms) => {
    await forms.register(multipart, {
      throwFileSizeLimit: false,
      limits: { fileSize: LOAD_FILE_BYTES, files: 1, fields: 4, fieldSize: 1024, parts: 5, headerPairs: 20 },
    })
    answerCall(
      'sendLoadList',
      async ({ query, visitor, request }) => {
        const text = new TextDecoder().decode(await fileOf(request, { bytes: LOAD_FILE_BYTES, kinds: 'CSV' }))
        const { companyId, userId } = visitor
        const timeZone = readModels.directory.companies.get(companyId)?.timeZone ?? 'UTC'
        const read = loadLines(text, timeZone)
        if (typeof read === 'string') throw new ApiError(422, read, { path: 'file' })
        const goodOnly = query.only === 'good-lines'
        const data: CommandData<'load.work-list'> = {
          loads: read.loads.map((load) => ({ ...load, loadId: newId('ld') })),
          goodOnly,
        }
        let decision: ListDecision = { facts: [], faults: [], already: 0 }
        const { facts, refused } = await execute(
          loadStream(companyId),
          { type: 'load.work-list', by: userId, data },
          (state, command) => {
            decision = workLoadList(state, command, visitor)
            // what is wrong with all lines is reported at once
            return goodOnly || read.faults.length === 0 ? decision : decided()
          },
        )
        if (refused) throw refusal(refused)
        const many = (wanted: string) => facts.filter(({ type }) => type === wanted).length
        const faults = [...read.faults, ...decision.faults].toSorted((a, b) => a.line - b.line)
        return {
          ...{ opened: many('load.opened'), closed: many('load.closed'), already: decision.already },
          ...{ lines: read.lines, faulty: faults.length, faults: faults.slice(0, MOST_LINE_FAULTS) },
        }
      },
      { perMinute: LISTS_A_MINUTE, on: forms },
    )
  })
}
