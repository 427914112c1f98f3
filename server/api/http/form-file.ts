import type { FastifyRequest } from 'fastify'
import { ApiError } from './refusals.ts'

/**
 * The file of a form. @throws ApiError where there is none, or one larger than `most`
 * @param most `bytes`: the largest that is read; `kinds`: what it may be, for people
 */
export async function fileOf(
  request: FastifyRequest,
  { bytes: most, kinds }: { bytes: number; kinds: string },
): Promise<Uint8Array> {
  if (!request.isMultipart()) throw new ApiError(415, `Send a file, ${kinds}`, { path: 'file' })
  let bytes: Buffer | undefined
  try {
    bytes = await (await request.file())?.toBuffer()
  } catch (error) {
    request.log.info(error, 'a form that cannot be read')
    throw new ApiError(400, 'The form cannot be read', { path: 'file' })
  }
  if (bytes === undefined) throw new ApiError(415, `Send a file, ${kinds}`, { path: 'file' })
  if (bytes.length >= most)
    throw new ApiError(413, `The file is larger than ${most / 1024 / 1024} MB: part it`, { path: 'file' })
  return bytes
}
