import multipart from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import type { CommandOf } from '#machines/contracts/commands.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { IMAGE_BYTES, IMAGE_TOO_LARGE, NO_IMAGE } from '#machines/rules/image-file.ts'
import { createDailyAllowance } from '../../commands/daily-allowance.ts'
import type { Refused } from '../../commands/decision.ts'
import { adjustGroup } from '../../commands/groups/update-group.ts'
import { STRUCTURE } from '../../commands/structure.ts'
import { createChangeHistories } from './change-history.ts'
import type { HttpContext } from './context.ts'
import { groupAnswer } from './group-answer.ts'
import { type Picture, pictureOf } from './picture.ts'
import { ApiError, notFound } from './refusals.ts'
import { ifVersion, refusedEdit, versioned } from './versions.ts'

/** Pictures that an address may send a minute: decoding one takes some tenths of a second. */
const PICTURES_A_MINUTE = 30
/** Each is in the record for ever. */
const NEW_PICTURES_A_DAY = 50
const TOO_MANY_PICTURES = `Your company has sent ${NEW_PICTURES_A_DAY} new pictures today: send this one tomorrow`
const SHOWN_LATELY = 100
const YEAR_SECONDS = 31_536_000

type Deps = Pick<HttpContext, 'app' | 'answerCall' | 'visible' | 'execute' | 'store' | 'readModels' | 'clock'>

/**
 * Pictures of groups. They are facts like all that people do, in a stream of their own each, so they are where everything
 * else is after a power cut, and nowhere in memory until somebody looks.
 */
export async function imageRoutes(deps: Deps): Promise<void> {
  const { app, answerCall, visible, execute, store, readModels, clock } = deps
  const { directory } = readModels
  const histories = createChangeHistories(readModels)
  const shown = new Map<string, Buffer>()
  const newPictures = createDailyAllowance(clock, NEW_PICTURES_A_DAY)

  await app.register(async (forms) => {
    // read to its end though it is too large: who is cut off while they send sees no answer
    await forms.register(multipart, {
      throwFileSizeLimit: false,
      limits: { fileSize: IMAGE_BYTES, files: 1, fields: 4, fieldSize: 1024, parts: 5, headerPairs: 20 },
    })
    answerCall(
      'updateGroupImage',
      async ({ params: { id }, visitor, request, reply }) => {
        const { companyId } = visible.group(visitor, id)
        const adjust = (state: Directory, command: CommandOf<'group.adjust'>) =>
          adjustGroup(state, command, visitor.groupId)
        const changed = (image: string) => ({
          ...{ type: 'group.adjust' as const, by: visitor.userId },
          data: { groupId: id, image, ifVersion: ifVersion(request) },
        })
        const current = () => groupAnswer(directory, visible.group(visitor, id), visitor.groupId, true)
        const refuse = (refused: Refused) => refusedEdit(refused, current, histories.last('groups', id))
        const picture = await sent(request)
        // nobody finds, and nothing drops, what is kept for a change that is refused
        const early = adjust(directory, { ...changed(picture.name), at: clock.now() })
        if (early.refused) throw refuse(early.refused)
        await keep(picture, companyId, visitor.userId)
        const { refused } = await execute(STRUCTURE, changed(picture.name), adjust)
        if (refused) throw refuse(refused)
        return versioned(reply, current())
      },
      { perMinute: PICTURES_A_MINUTE, on: forms },
    )
  })

  answerCall('image', ({ params: { image }, reply }) => {
    const bytes = shown.get(image) ?? kept(image)
    if (bytes === undefined) throw notFound()
    remember(image, bytes)
    reply
      .type('image/webp')
      .header('cache-control', `public, max-age=${YEAR_SECONDS}, immutable`)
      .header('content-security-policy', "default-src 'none'; sandbox")
    return bytes
  })

  /** The same picture twice is kept once. @throws ApiError where the company has sent too many today */
  async function keep({ name, mediaType, bytes }: Picture, companyId: string, by: string): Promise<void> {
    if (kept(name) !== undefined) return
    if (!newPictures.take(companyId, 1)) throw new ApiError(429, TOO_MANY_PICTURES)
    await store.log.append(
      streamOf(name),
      [
        {
          type: 'image.stored',
          at: clock.now(),
          companyId,
          by,
          data: { image: name, mediaType, base64: bytes.toString('base64') },
        },
      ],
      { idempotencyKey: streamOf(name) },
    )
  }

  function kept(image: string): Buffer | undefined {
    const [fact] = store.log.readStream(streamOf(image))
    return fact?.type === 'image.stored' ? Buffer.from(fact.data.base64, 'base64') : undefined
  }

  function remember(image: string, bytes: Buffer): void {
    shown.delete(image)
    shown.set(image, bytes)
    const [oldest] = shown.keys()
    if (shown.size > SHOWN_LATELY && oldest !== undefined) shown.delete(oldest)
  }
}

const streamOf = (image: string): string => `image-${image}`

/** @throws ApiError for what is no picture, or too large a one */
async function sent(request: FastifyRequest): Promise<Picture> {
  const bytes = await fileOf(request)
  if (bytes !== undefined && bytes.length >= IMAGE_BYTES)
    throw new ApiError(413, IMAGE_TOO_LARGE, { path: 'file' })
  const picture = bytes && (await pictureOf(bytes))
  if (picture === undefined) throw new ApiError(415, NO_IMAGE, { path: 'file' })
  return picture
}

/** The file of a form, cut at the largest size; undefined where there is none. @throws ApiError for a broken form */
async function fileOf(request: FastifyRequest): Promise<Buffer | undefined> {
  if (!request.isMultipart()) return undefined
  try {
    return await (await request.file())?.toBuffer()
  } catch (error) {
    request.log.info(error, 'a form that cannot be read')
    throw new ApiError(400, 'The form cannot be read', { path: 'file' })
  }
}
