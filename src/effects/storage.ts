import { boolean, nullable, type as open, optional, type Struct, string } from 'superstruct'
import { decode } from '#machines/contracts/decode.ts'
import { CompanyInfo } from '#machines/contracts/entities/companies.ts'
import { DEFAULT_DEPTH_LEVEL } from '#machines/contracts/entities/group-info.ts'
import { SessionUser } from '#machines/contracts/entities/users.ts'
import { Count } from '#machines/contracts/scalars.ts'
import { isSamePerson, type Session } from '#machines/session/session.ts'
import type { WebStorage } from './web-storage.ts'

/** Local storage holds these keys of the documents and no others. */
const KEYS = {
  user: 'user',
  userId: 'user_id',
  token: 'token',
  refreshToken: 'refreshToken',
  identityId: 'identityId',
  companyInfo: 'companyInfo',
  groupInfo: 'groupInfo',
} as const

const StoredUser = open({
  ...SessionUser.schema,
  accessToken: string(),
  isSuperAdminUser: optional(boolean()),
})
const StoredGroup = open({
  depthLevel: optional(Count),
  groupImage: optional(nullable(string())),
  name: optional(string()),
})

export type SessionStorage = {
  /** the session of the last page; null where there is none, or what is there is not one */
  remembered(): Session | null
  remember(session: Session): void
  /** the group of the session, and nothing else of it: another window may have newer tokens */
  rememberGroup(group: Session['groupInfo']): void
  /** the user's name, and nothing else; not where another window has another user's session there by now */
  rememberName(session: Session): void
  /** the token that is good for setting a password alone; no user is stored with it */
  rememberReset(token: string): void
  /** that token, if the last page left one; null where it did not */
  rememberedReset(): string | null
  forget(): void
  /** another window of this browser signed out */
  onForgottenElsewhere(listener: () => void): () => void
  /** another window of this browser signed in, or renewed its tokens */
  onStoredElsewhere(listener: (session: Session) => void): () => void
}

/** The documents' keys. What others wrote there is decoded, and passed over where it is no session. */
export function createSessionStorage(
  storage: WebStorage,
  window: Pick<Window, 'addEventListener' | 'removeEventListener'>,
): SessionStorage {
  const read = <T, S>(key: string, struct: Struct<T, S>): T =>
    decode(JSON.parse(storage.getItem(key) ?? 'null'), struct, key)

  const hear = (listener: (event: StorageEvent) => void): (() => void) => {
    window.addEventListener('storage', listener)
    return () => window.removeEventListener('storage', listener)
  }

  function remembered(): Session | null {
    const refreshToken = storage.getItem(KEYS.refreshToken)
    const identityId = storage.getItem(KEYS.identityId)
    if (refreshToken === null || identityId === null || storage.getItem(KEYS.user) === null) return null
    try {
      const { accessToken, isSuperAdminUser = false, ...user } = read(KEYS.user, StoredUser)
      const {
        depthLevel = DEFAULT_DEPTH_LEVEL,
        groupImage = null,
        name = '',
      } = read(KEYS.groupInfo, StoredGroup)
      return {
        user,
        accessToken,
        refreshToken,
        identityId,
        isSuperAdminUser,
        companyInfo: read(KEYS.companyInfo, CompanyInfo),
        groupInfo: { depthLevel, groupImage, name },
      }
    } catch {
      return null
    }
  }

  function rememberUser({ user, accessToken, isSuperAdminUser }: Session): void {
    storage.setItem(
      KEYS.user,
      JSON.stringify({ ...user, accessToken, ...(isSuperAdminUser && { isSuperAdminUser }) }),
    )
  }

  return {
    remembered,
    remember(session) {
      const { user, accessToken, refreshToken, identityId, companyInfo, groupInfo } = session
      storage.setItem(KEYS.userId, user._id)
      storage.setItem(KEYS.token, accessToken)
      storage.setItem(KEYS.refreshToken, refreshToken)
      storage.setItem(KEYS.identityId, identityId)
      storage.setItem(KEYS.companyInfo, JSON.stringify(companyInfo))
      storage.setItem(KEYS.groupInfo, JSON.stringify(groupInfo))
      // Last, because other windows look when it changes.
      rememberUser(session)
    },
    rememberGroup(group) {
      if (storage.getItem(KEYS.user) !== null) storage.setItem(KEYS.groupInfo, JSON.stringify(group))
    },
    rememberName(session) {
      const kept = remembered()
      if (kept !== null && isSamePerson(kept, session))
        rememberUser({ ...kept, user: { ...kept.user, name: session.user.name } })
    },
    rememberReset(token) {
      storage.clear()
      storage.setItem(KEYS.token, token)
    },
    rememberedReset() {
      const isSession = [KEYS.user, KEYS.refreshToken].some((key) => storage.getItem(key) !== null)
      return isSession ? null : storage.getItem(KEYS.token)
    },
    forget() {
      storage.clear()
    },
    onForgottenElsewhere: (listener) =>
      hear(({ key, newValue }) => {
        if (key === null || (key === KEYS.user && newValue === null)) listener()
      }),
    onStoredElsewhere: (listener) =>
      hear(({ key, newValue }) => {
        const session = key === KEYS.user && newValue !== null ? remembered() : null
        if (session !== null) listener(session)
      }),
  }
}
