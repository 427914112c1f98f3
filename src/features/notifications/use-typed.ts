import { useState } from 'react'
import { record, string } from 'superstruct'
import { useDraft } from '../../actors/use-drafts.ts'
import { useRoot } from '../../actors/use-root.ts'

/** What was typed in the entries of a list and not sent: it outlives an entry's being out of view. */
export type Typed = Map<string, string>

const TYPED = 'typed'
const KeptTyped = record(string(), string())

/** For one list; all of it stands again where the page had to go for want of an answer. */
export function useKeptTyped(): Typed {
  const { drafts } = useRoot()
  const [typed] = useState<Typed>(() => new Map(Object.entries(drafts.kept(TYPED, KeptTyped) ?? {})))
  useDraft(TYPED, () => (typed.size === 0 ? undefined : Object.fromEntries(typed)))
  return typed
}

/** The text of one field. @param name of the field and its entry */
export function useTyped(typed: Typed, name: string): [string, (text: string) => void] {
  const [text, setText] = useState(typed.get(name) ?? '')
  const write = (next: string): void => {
    setText(next)
    if (next === '') typed.delete(name)
    else typed.set(name, next)
  }
  return [text, write]
}
