import underPressure from '@fastify/under-pressure'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { PRESSURE } from './pressure.ts'
import { refusalsPlugin } from './refusals.ts'

/** An app that is behind by so many ms. */
async function answerOf(behind: number) {
  const app = Fastify()
  await app.register(refusalsPlugin)
  await app.register(underPressure, {
    healthCheck: async () => false,
    healthCheckInterval: 60_000,
    pressureHandler: (request, reply, type) => PRESSURE.pressureHandler?.(request, reply, type, behind),
  })
  app.get('/', async () => 'answered')
  const answer = await app.inject('/')
  await app.close()
  return answer
}

test('a server that is far behind says when to come again', async () => {
  const { statusCode, headers, body } = await answerOf(6000)
  expect([statusCode, headers['retry-after']]).toEqual([503, '5'])
  expect(JSON.parse(body)).toEqual({ code: 503, message: 'Not available now, try again shortly' })
})

test('one of which nothing was measured answers', async () => {
  expect((await answerOf(Number.POSITIVE_INFINITY)).body).toBe('answered')
})
