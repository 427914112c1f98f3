/** One thing that can be picked. */
export type Option = {
  id: string
  text: string
  detail?: string
  /** why it cannot be picked, in a sentence */
  unavailable?: string | undefined
}

/** A row of options that need not all exist: 100,000 of them cost nothing until they are looked at. */
export type Options = { readonly length: number; at(index: number): Option }

/** Where a list takes its options from: the text typed → what fits, best first. '' asks for all. */
export type FindOptions = (query: string) => Options

/** What is picked: `'all'` stays all when more come. */
export type Selection = 'all' | ReadonlySet<string>

export const nothing: Selection = new Set<string>()

/** Searches a list held in memory: every word typed must stand in the text or its detail. */
export function findIn(options: readonly Option[]): FindOptions {
  const haystack = options.map(({ text, detail = '' }) => `${text} ${detail}`.toLowerCase())
  return (query) => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean)
    if (words.length === 0) return fromArray(options)
    return fromArray(options.filter((_, i) => words.every((word) => haystack[i]?.includes(word))))
  }
}

export function fromArray(options: readonly Option[]): Options {
  return { length: options.length, at: (index) => options[index] as Option }
}

/** The selection with one option turned over. From `'all'`, picking one means that one alone. */
export function toggled(selection: Selection, id: string): Selection {
  if (selection === 'all') return new Set([id])
  const next = new Set(selection)
  if (!next.delete(id)) next.add(id)
  return next
}

/** `all` has every id, also those that come later. */
export function isPicked(selection: Selection, id: string): boolean {
  return selection === 'all' || selection.has(id)
}
