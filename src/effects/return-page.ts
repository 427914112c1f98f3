import { type Infer, nullable, type as open, refine, size, string } from 'superstruct'
import { decodeJson } from '#machines/contracts/decode.ts'

/** The page somebody returns to by signing in, as long as the tab. It is for the user who was on it and for no other. */
export type ReturnPage = {
  /** @param address of a page that only those signed in see: path and query @param userId undefined: nobody is signed in */
  keep(address: string, userId: string | undefined): void
  /** undefined: there is none, or it is another user's */
  of(userId: string): string | undefined
  /** they signed out themselves: whoever signs in next begins at the beginning */
  forget(): void
}

const ORIGIN = 'http://portal'
/** What leads anywhere else (`//evil.example`, `/\evil.example`) is no address of the portal. */
const Address = refine(size(string(), 1, 2000), 'address of the portal', (address) => {
  return (
    address.startsWith('/') && URL.canParse(address, ORIGIN) && new URL(address, ORIGIN).origin === ORIGIN
  )
})
/** `userId`: who was signed in last in this tab */
const Kept = open({ address: nullable(Address), userId: nullable(string()) })

const KEY = 'frostline-return-page'
const NOTHING: Infer<typeof Kept> = { address: null, userId: null }

/** What is kept and cannot be read counts as nothing. */
export function createReturnPage(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): ReturnPage {
  function kept(): Infer<typeof Kept> {
    try {
      return decodeJson(storage.getItem(KEY) ?? 'null', Kept, KEY)
    } catch {
      return NOTHING
    }
  }
  function write(page: Infer<typeof Kept>): void {
    try {
      storage.setItem(KEY, JSON.stringify(page))
    } catch {
      // the tab is full: who signs in begins at the beginning, rather than at a page of before
      storage.removeItem(KEY)
    }
  }

  return {
    keep(address, userId) {
      write({ address: Address.is(address) ? address : null, userId: userId ?? kept().userId })
    },
    of(userId) {
      const page = kept()
      return page.userId === null || page.userId === userId ? (page.address ?? undefined) : undefined
    },
    forget: () => write({ ...kept(), address: null }),
  }
}
