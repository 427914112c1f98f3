import { useSelector } from '@xstate/react'
import { useEffect } from 'react'
import { useRoot } from '../../../actors/use-root.ts'

/** By then all nodes of a server have the new version, ms: one that has not would send no part of it. */
const UPGRADED = 60_000
const OLD = ['offered', 'putOff', 'needed'] as const

/** Loads the page anew where the server has a new version: nobody is there to press Reload. */
export function useNewVersion(): void {
  const { newVersion, drafts } = useRoot()
  const isOld = useSelector(newVersion, (state) => OLD.some((one) => state.matches(one)))
  useEffect(() => {
    if (!isOld) return
    const timer = setInterval(() => newVersion.send({ type: 'reload', isKept: drafts.keep() }), UPGRADED)
    return () => clearInterval(timer)
  }, [isOld, newVersion, drafts])
}
