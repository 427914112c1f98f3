import { existsSync } from 'node:fs'
import { join } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { answerNotFound } from './refusals.ts'
import { STARTING_HEADERS, STARTING_PAGE } from './starting-page.ts'

type Options = { distDir: string }

/** Paths that are never a page of the portal. */
const NOT_PAGES = /^\/(api|sim|live|socket\.io|assets|map)(\/|$)/

/** Of pages for whoever holds a link: no search finds them. */
const SHARED_HEADERS = { 'x-robots-tag': 'noindex, nofollow' }

/**
 * The built portal: its files, and its page for every route of it. The directory is looked into per request, so a build
 * that ends after the start is served.
 */
async function portal(app: FastifyInstance, { distDir }: Options): Promise<void> {
  await app.register(staticFiles, {
    root: distDir,
    // beside each file the build may leave a smaller .gz or .br; compressing at each request costs more than it saves
    preCompressed: true,
    wildcard: true,
    index: 'index.html',
    cacheControl: false,
    setHeaders(reply, path) {
      // names of built files hold their hash
      reply.header(
        'cache-control',
        /[\\/]assets[\\/]/.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  })

  app.setNotFoundHandler((request, reply) => {
    const [path = ''] = request.url.split('?')
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !NOT_PAGES.test(path)
    const { accept = '*/*' } = request.headers
    const isFile = /\.\w+$/.test(path)
    const isRequestedByBrowser = accept.includes('text/html') || (accept.includes('*/*') && !isFile)
    if (!isPage || !isRequestedByBrowser) return answerNotFound(request, reply)
    if (path.startsWith('/shared/')) reply.headers(SHARED_HEADERS)
    if (existsSync(join(distDir, 'index.html'))) return reply.sendFile('index.html')
    if (!accept.includes('text/html')) return answerNotFound(request, reply)
    return reply.code(503).headers(STARTING_HEADERS).type('text/html').send(STARTING_PAGE)
  })
}

export const portalPlugin = fp(portal, { name: 'portal', fastify: '5.x' })
