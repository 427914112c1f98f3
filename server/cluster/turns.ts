export type Turns = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Work of one key is run one after the other, in the order of the calls; of different keys side by side. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work)
    last.set(key, mine)
    const forget = () => {
      if (last.get(key) === mine) last.delete(key)
    }
    mine.then(forget, forget)
    return mine
  }
}
