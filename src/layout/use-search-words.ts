import { useEffect, useState } from 'react'
import { string } from 'superstruct'
import { useKeptState } from '../actors/use-drafts.ts'
import { pageAddress, typed } from '../format/page-address.ts'
import { useAddress } from './use-address.ts'

const wordsAddress = pageAddress<{ words: string }>({ words: typed('q') })

/** What was typed is in the address when no key came for so long, ms: browsers refuse addresses that change with each key. */
export const TYPING_PAUSE_MS = 300

/** What a page's list is searched for: `?q=`. It replaces: Back leaves the page. */
export function useSearchWords(): [string, (words: string) => void] {
  const { state, visit, write } = useAddress(wordsAddress)
  const [words, setWords] = useKeptState('search', string(), state.words)
  const [shown, setShown] = useState(visit)
  if (shown !== visit) {
    setShown(visit)
    setWords(state.words)
  }
  useEffect(() => {
    const timer = setTimeout(() => write({ words }, 'replace'), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [words, write])
  return [words, setWords]
}
