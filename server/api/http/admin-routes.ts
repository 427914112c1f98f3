import type { CompanyDetail } from '#machines/contracts/entities/companies.ts'
import { hashSecret, newSecret, newSessionId, writeRefreshToken } from '../../auth/refresh-tokens.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { changeSuspension } from '../../commands/access/companies.ts'
import { handOff, topGroup } from '../../commands/access/handoff.ts'
import { changeCompany } from '../../commands/companies/change-company.ts'
import { createCompany } from '../../commands/companies/create-company.ts'
import { newId } from '../../commands/repeatable.ts'
import { STRUCTURE } from '../../commands/structure.ts'
import { createUser } from '../../commands/users/create-user.ts'
import { type CompanyFigures, createCompanyFigures } from '../../read-models/company-figures.ts'
import { createCompanyStorage } from '../../read-models/company-storage.ts'
import { companyAnswer } from './company-answer.ts'
import type { HttpContext } from './context.ts'
import { groupInfo } from './group-answer.ts'
import { ApiError, notFound, refusal } from './refusals.ts'
import { claimsOf, HANDOFF_MS, placeOf, sessionUser } from './session-answer.ts'
import { createdAnswer } from './user-answer.ts'
import { ifVersion, refusedEdit, versioned } from './versions.ts'

type Deps = Pick<
  HttpContext,
  'app' | 'answerCall' | 'env' | 'access' | 'execute' | 'clock' | 'readModels' | 'store'
>

/** Mails that one address may have sent to others a minute. */
const MAILS_A_MINUTE = 30
const NO_FIGURES: CompanyFigures = { devices: 0, users: 0, readingsAMinute: 0, lastWordAt: 0 }
const OWN_COMPANY = 'You would shut yourself out: this is your own company'

/** For super admins alone; to everybody else none of this exists. */
export function adminRoutes(deps: Deps): void {
  figureRoutes(deps)
  companyRoutes(deps)
  suspensionRoutes(deps)
  managerRoutes(deps)
  handOffRoutes(deps)
}

/** @throws ApiError 404 for anybody else */
function superAdminOf({ readModels: { directory } }: Deps, { userId, superAdmin }: Visitor) {
  const user = directory.users.get(userId)
  if (!superAdmin || user === undefined) throw notFound()
  return user
}

/** @throws ApiError 404 where there is no such company */
function detailOf({ readModels: { directory } }: Deps, companyId: string): CompanyDetail {
  const company = directory.companies.get(companyId)
  if (company === undefined) throw notFound()
  return companyAnswer(directory, company)
}

/** What there are, and what each has, sends and takes. */
function figureRoutes(deps: Deps): void {
  const { app, answerCall, clock, readModels, store } = deps
  const { directory } = readModels
  const figures = createCompanyFigures(readModels, clock)
  const storage = createCompanyStorage(directory, store.telemetry)
  app.addHook('onClose', async () => figures.stop())

  function figuresOf(companyId: string) {
    const { lastWordAt, ...of } = figures.all().get(companyId) ?? NO_FIGURES
    return { ...of, lastWordAt: lastWordAt > 0 ? new Date(lastWordAt).toISOString() : null }
  }

  answerCall('companies', ({ visitor }) => {
    superAdminOf(deps, visitor)
    return [...directory.companies.values()].map(({ companyId, name, suspended, suspendedBecause }) => ({
      _id: companyId,
      name,
      suspended,
      suspendedBecause,
      ...figuresOf(companyId),
    }))
  })

  answerCall('companyFigures', async ({ visitor, params: { companyId } }) => {
    superAdminOf(deps, visitor)
    if (!directory.companies.has(companyId)) throw notFound()
    return { ...figuresOf(companyId), ...(await storage.of(companyId)) }
  })
}

function companyRoutes(deps: Deps): void {
  const { answerCall, execute } = deps

  answerCall('company', ({ visitor, params, reply }) => {
    superAdminOf(deps, visitor)
    return versioned(reply, detailOf(deps, params.companyId))
  })

  answerCall('createCompany', async ({ visitor, body, reply }) => {
    const { _id: by } = superAdminOf(deps, visitor)
    const companyId = newId('c')
    const data = { ...body, companyId, groupId: newId('g'), deviceKeyHash: null }
    const { refused } = await execute(STRUCTURE, { type: 'company.create', by, data }, createCompany)
    if (refused) throw refusal(refused)
    return versioned(reply, detailOf(deps, companyId))
  })

  answerCall('updateCompany', async ({ visitor, params: { companyId }, body, request, reply }) => {
    const { _id: by } = superAdminOf(deps, visitor)
    const data = { companyId, ...body, ifVersion: ifVersion(request) }
    const { refused } = await execute(STRUCTURE, { type: 'company.change', by, data }, changeCompany)
    if (refused) throw refusedEdit(refused, () => detailOf(deps, companyId), { by: null, at: null })
    return versioned(reply, detailOf(deps, companyId))
  })
}

function suspensionRoutes(deps: Deps): void {
  const { answerCall, execute } = deps

  for (const [name, type] of [
    ['suspendCompany', 'company.suspend'],
    ['resumeCompany', 'company.resume'],
  ] as const)
    answerCall(name, async ({ visitor, params: { companyId }, body: { reason } }) => {
      const { _id: by, companyId: own } = superAdminOf(deps, visitor)
      if (type === 'company.suspend' && companyId === own) throw new ApiError(409, OWN_COMPANY)
      const data = { companyId, reason }
      const { refused } = await execute(`company-${companyId}`, { type, by, data }, changeSuspension)
      if (refused) throw refusal(refused)
      return detailOf(deps, companyId)
    })
}

function managerRoutes(deps: Deps): void {
  const { answerCall, access, execute, readModels } = deps
  const { directory } = readModels

  answerCall(
    'inviteManager',
    async ({ visitor, params: { companyId }, body }) => {
      const { _id: by } = superAdminOf(deps, visitor)
      const top = topGroup(directory, companyId)
      if (top === undefined) throw notFound()
      const userId = newId('u')
      const link = access.emailLinks.make('activation')
      const data = { ...body, userId, groupId: top._id, type: 'Manager', role: 'admin', link }
      const { refused } = await execute(STRUCTURE, { type: 'user.create', by, data }, (state, command) =>
        createUser(state, command, top._id),
      )
      if (refused) throw refusal(refused)
      return createdAnswer(directory, userId)
    },
    { perMinute: MAILS_A_MINUTE },
  )
}

function handOffRoutes(deps: Deps): void {
  const { answerCall, env, access, execute, clock, readModels } = deps
  const { directory } = readModels

  answerCall('handoff', async ({ visitor, params: { companyId }, reply }) => {
    const user = superAdminOf(deps, visitor)
    const sessionId = newSessionId()
    const secret = newSecret()
    const { refused } = await execute(
      `user-${user._id}`,
      {
        type: 'session.hand-off',
        by: user._id,
        data: {
          userId: user._id,
          companyId,
          sessionId,
          refreshHash: hashSecret(secret),
          expiresAt: clock.now() + HANDOFF_MS,
        },
      },
      handOff,
    )
    if (refused) throw refusal(refused)
    const { groupId } = placeOf(user, sessionId)
    const { name, depthLevel, groupImage } = groupInfo(directory, groupId)
    const query = new URLSearchParams({
      group: groupId,
      company: companyId,
      groupName: name,
      depthLevel: String(depthLevel),
      groupImage: groupImage ?? '',
      refreshToken: writeRefreshToken({ userId: user._id, sessionId, secret }),
      token: await access.tokens.sign(claimsOf(user, sessionId), env.accessTtl),
      identityId: sessionId,
      user: JSON.stringify(sessionUser(user, sessionId)),
    })
    reply.header('cache-control', 'no-store')
    return { link: `${env.publicUrl ?? ''}/adminLogin?${query}` }
  })
}
