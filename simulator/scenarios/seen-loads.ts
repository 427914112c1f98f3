import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Scenario } from '#machines/contracts/scenario.ts'
import type { Known, SeenLoad } from './evidence.ts'

/** Asks the server as one of those who see the device, signed in anew each time: sessions end by the world's clock. */
export function createSeenLoads(
  fastify: FastifyInstance,
  { users, password }: Pick<Scenario, 'users' | 'password'>,
): (device: Known) => Promise<SeenLoad | null> {
  return async ({ imei, companyId, groups }) => {
    const user = users.find((one) => one.companyId === companyId && groups.includes(one.groupId))
    if (user === undefined) throw new Error(`nobody of ${companyId} sees ${imei}`)
    const body = { username: user.email, password }
    const signedIn = await fastify.inject({ method: 'POST', url: '/api/auth/login', payload: body })
    if (signedIn.statusCode !== 200) throw new Error(`${user.email} cannot sign in: ${signedIn.payload}`)
    const headers = { authorization: `Bearer ${signedIn.json().access_token}` }
    for (;;) {
      const answer = await fastify.inject({ url: `/api/things/${imei}/budget`, headers })
      if (answer.statusCode !== 200) throw new Error(`the budget of ${imei} answers ${answer.payload}`)
      const { load }: { load: SeenLoad | null } = answer.json()
      // who leads looks four times a second for what is to be told
      if (load?.state !== 'exhausted' || load.exhaustedAt !== null) return load
      await pause(20)
    }
  }
}
