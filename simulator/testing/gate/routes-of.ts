import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'

/**
 * Every route of the apps that are made while `work` runs, as Fastify itself hears of them: `GET /api/time`, sorted.
 * A HEAD that Fastify adds to a GET is left out.
 */
export async function routesOf(work: () => Promise<unknown>): Promise<string[]> {
  const routes = new Set<string>()
  const listen = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const each of [method].flat()) if (each !== 'HEAD') routes.add(`${each} ${url}`)
    })
  }
  subscribe('fastify.initialization', listen)
  try {
    await work()
  } finally {
    unsubscribe('fastify.initialization', listen)
  }
  return [...routes].sort()
}
