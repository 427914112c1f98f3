/** Whom something is done for. `hasLeft`: nobody waits for it any more. */
export type Asker = { companyId: string; userId: string; hasLeft?(): boolean }

/** @param asker left out: the server itself */
export type Line = <T>(work: () => Promise<T>, asker?: Asker) => Promise<T>

/** So much waits for one person already, or they have left. */
export class OutOfLine extends Error {}

type Waiting = { asker: Asker | undefined; run(): Promise<void>; refuse(): void }

const TOO_MUCH = 'What you asked for before is still being worked on. Try again in a moment.'

/**
 * Work that is done one piece at a time. Companies take turns, a piece each; of a company's the one that was asked for first is next.
 * What is one too many rejects with OutOfLine, and so does what nobody waits for any more, undone.
 * @param mostOfOne so much may wait for one person
 */
export function createLine(mostOfOne: number): Line {
  /** by company, the one whose turn it is first */
  const line = new Map<string, Waiting[]>()
  let isAtWork = false

  async function goOn(): Promise<void> {
    isAtWork = true
    for (let [company] = line.keys(); company !== undefined; [company] = line.keys()) {
      const [next, ...others] = withoutGone(line.get(company) ?? [])
      line.delete(company)
      if (others.length > 0) line.set(company, others)
      await next?.run()
    }
    isAtWork = false
  }

  return <T>(work: () => Promise<T>, asker?: Asker): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    const company = asker?.companyId ?? ''
    const before = withoutGone(line.get(company) ?? [])
    const theirs = before.filter((one) => one.asker?.userId === asker?.userId)
    const refuse = (): void => reject(new OutOfLine(TOO_MUCH))
    if (asker !== undefined && theirs.length >= mostOfOne) refuse()
    else before.push({ asker, run: () => work().then(resolve, reject), refuse })
    if (before.length > 0) line.set(company, before)
    if (!isAtWork) void goOn()
    return promise
  }
}

/** Those somebody waits for; the others are refused. */
function withoutGone(waiting: readonly Waiting[]): Waiting[] {
  const { here = [], gone = [] } = Object.groupBy(waiting, ({ asker }) =>
    asker?.hasLeft?.() ? 'gone' : 'here',
  )
  for (const one of gone) one.refuse()
  return here
}
