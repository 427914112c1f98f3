import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Browsers somebody signed in with before. Wrong passwords of strangers do not slow these down: each has limits of its own.
 * What a browser keeps is signed and says nothing but whose it is.
 */
export type KnownDevices = {
  /** the browser's own id where its cookies hold a right mark of this user; undefined: it is a stranger's */
  of(cookies: string | undefined, userId: string): string | undefined
  /** whether the browser's cookies hold a right mark of anybody */
  isKnown(cookies: string | undefined): boolean
  /** the `set-cookie` that marks a browser as this user's; the mark it has stays */
  mark(cookies: string | undefined, userId: string): string
}

const NAME = 'frostline_device'
/** A browser that was not signed in with for so long is a stranger's again, s. */
const KEPT_SECONDS = 180 * 86_400

/** @param isSecure the portal is reached over https alone */
export function createKnownDevices(secret: string, isSecure: boolean): KnownDevices {
  const signed = (userId: string, device: string): string =>
    createHmac('sha256', secret).update(`device ${userId} ${device}`).digest('base64url')

  function of(cookies: string | undefined, userId: string): string | undefined {
    const [device, signature] = marks(cookies)[userId] ?? []
    if (device === undefined || signature === undefined) return undefined
    const [right, given] = [signed(userId, device), signature].map((text) => Buffer.from(text)) as [
      Buffer,
      Buffer,
    ]
    return right.length === given.length && timingSafeEqual(right, given) ? device : undefined
  }
  return {
    of,
    isKnown: (cookies) => Object.keys(marks(cookies)).some((userId) => of(cookies, userId) !== undefined),
    mark(cookies, userId) {
      const device = of(cookies, userId) ?? randomBytes(9).toString('base64url')
      const others = Object.entries(marks(cookies)).filter(([other]) => other !== userId)
      const all = [[userId, [device, signed(userId, device)]] as const, ...others].slice(0, MOST_USERS)
      const value = all.map(([user, mark]) => [user, ...mark].join('.')).join('~')
      return `${NAME}=${value}; Path=/api/auth; Max-Age=${KEPT_SECONDS}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
    },
  }
}

/** People who share a browser. */
const MOST_USERS = 10

/** By user: id of the browser and its signature. */
function marks(cookies: string | undefined): Record<string, [string, string]> {
  const value = new RegExp(`(?:^|;\\s*)${NAME}=([\\w.~-]{1,2048})`).exec(cookies ?? '')?.[1] ?? ''
  const parts = value.split('~').map((mark) => mark.split('.'))
  return Object.fromEntries(
    parts
      .filter(({ length }) => length === 3)
      .map(([user, device, signature]) => [user, [device, signature]]),
  )
}
