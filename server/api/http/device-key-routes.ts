import type { Fact } from '#machines/contracts/facts.ts'
import { keysOfCompany } from '#machines/projections/device-keys.ts'
import { hashOfKey } from '../../auth/key-of.ts'
import { newSecret } from '../../auth/refresh-tokens.ts'
import type { Visitor } from '../../auth/visitor.ts'
import {
  createDeviceKey,
  expireDeviceKey,
  mayKeepKeys,
  rotateDeviceKey,
} from '../../commands/companies/device-keys.ts'
import { newId } from '../../commands/repeatable.ts'
import { keyAnswer } from './company-answer.ts'
import type { HttpContext } from './context.ts'
import { ApiError, notFound, refusal } from './refusals.ts'

/** Keys of a company that are listed, newest first. */
const MOST_LISTED = 200
/** Keys an address may make a minute. */
const KEYS_A_MINUTE = 30

type Deps = Pick<HttpContext, 'answerCall' | 'access' | 'execute' | 'readModels' | 'clock'>

/** The server stopped after it had made a key and before it answered: what is known of that one is its digest alone. */
function mustBeOf(key: string, facts: readonly Fact[]): void {
  const hash = hashOfKey(key)
  if (!facts.some(({ data }) => 'hash' in data && data.hash === hash))
    throw new ApiError(409, 'The key was made, and its answer was lost: make another one')
}

/** The keys of other systems; who may not keep them learns nothing of them. */
export function deviceKeyRoutes({ answerCall, access, execute, readModels, clock }: Deps): void {
  const { directory } = readModels

  function mustKeepKeys(visitor: Visitor, wanted: string): void {
    if (!directory.companies.has(wanted) || !mayKeepKeys(directory, visitor, wanted)) throw notFound()
  }
  function answerOf(keyId: string) {
    const key = directory.keys.byId.get(keyId)
    if (key === undefined) throw notFound()
    return keyAnswer(directory, key, access.keyUses.lastOf(keyId), clock.now())
  }
  const stream = (companyId: string) => `company-${companyId}`

  answerCall('deviceKeys', ({ visitor, params: { companyId } }) => {
    mustKeepKeys(visitor, companyId)
    return keysOfCompany(directory.keys, companyId)
      .slice(-MOST_LISTED)
      .reverse()
      .map(({ keyId }) => answerOf(keyId))
  })

  answerCall(
    'createDeviceKey',
    async ({ visitor, params: { companyId }, body }) => {
      mustKeepKeys(visitor, companyId)
      const [keyId, key] = [newId('k'), newSecret()]
      const expiresAt = body.expiresAt === null ? null : Date.parse(body.expiresAt)
      const data = { ...body, expiresAt, companyId, keyId, hash: hashOfKey(key) }
      const { facts, refused } = await execute(
        stream(companyId),
        { type: 'device-key.create', by: visitor.userId, data },
        createDeviceKey,
      )
      if (refused) throw refusal(refused)
      mustBeOf(key, facts)
      return { ...answerOf(keyId), key }
    },
    { perMinute: KEYS_A_MINUTE },
  )

  answerCall(
    'rotateDeviceKey',
    async ({ visitor, params: { companyId, keyId }, body }) => {
      mustKeepKeys(visitor, companyId)
      const [newKeyId, key] = [newId('k'), newSecret()]
      const data = { ...body, companyId, keyId, newKeyId, hash: hashOfKey(key) }
      const { facts, refused } = await execute(
        stream(companyId),
        { type: 'device-key.rotate', by: visitor.userId, data },
        rotateDeviceKey,
      )
      if (refused) throw refusal(refused)
      mustBeOf(key, facts)
      return { ...answerOf(newKeyId), key }
    },
    { perMinute: KEYS_A_MINUTE },
  )

  answerCall('expireDeviceKey', async ({ visitor, params: { companyId, keyId } }) => {
    mustKeepKeys(visitor, companyId)
    const { refused } = await execute(
      stream(companyId),
      { type: 'device-key.expire', by: visitor.userId, data: { companyId, keyId } },
      expireDeviceKey,
    )
    if (refused) throw refusal(refused)
    return answerOf(keyId)
  })
}
