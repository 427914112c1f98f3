import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { API_PREFIX } from '#machines/contracts/calls/call.ts'
import { BUILD_HEADER } from '#machines/contracts/protocol.ts'

type Options = { distDir: string }

/** Answers say of which build of the portal this server is, so that a window of an older one notices. */
async function buildHeader(app: FastifyInstance, { distDir }: Options): Promise<void> {
  const file = join(distDir, 'index.html')
  let changedAt: number | undefined
  let build: string | undefined

  /** One may end after the start: each time it is asked for. */
  function buildNow(): string | undefined {
    const modified = statSync(file, { throwIfNoEntry: false })?.mtimeMs
    if (modified !== changedAt)
      build = modified === undefined ? undefined : buildIn(readFileSync(file, 'utf8'))
    changedAt = modified
    return build
  }

  app.addHook('onRequest', async ({ url }, reply) => {
    if (!url.startsWith(API_PREFIX)) return
    const known = buildNow()
    if (known !== undefined) reply.header(BUILD_HEADER, known)
  })
}

/** The name of a page's first file, which holds a hash of all the others. */
function buildIn(page: string): string | undefined {
  const [script = ''] = /<script\b[^>]*\btype="module"[^>]*>/.exec(page) ?? []
  return /\/assets\/([^/"]+)\.js"/.exec(script)?.[1]
}

export const buildHeaderPlugin = fp(buildHeader, { name: 'build-header', fastify: '5.x' })
