import { useCallback, useEffect, useState } from 'react'
import { SERVER_CALLS } from '#machines/contracts/calls/server-calls.ts'
import { CallRefused } from '../effects/call-failures.ts'
import { mayReload } from '../effects/reloads.ts'
import type { Root } from './root.ts'
import { useRoot } from './use-root.ts'

const PATIENCE_MS = 5000
const EVERY_MS = 3000

/**
 * Loads a page anew, once the server answers again: else the browser's own page of errors would come. `reload` tries
 * now; `state`: what became of the last time it was pressed.
 * @param heals it is done without being asked for, too
 */
export function useReload(
  page: string,
  heals: boolean,
): { state: 'idle' | 'trying' | 'away'; reload: () => void } {
  const root = useRoot()
  const [state, setState] = useState<'idle' | 'trying' | 'away'>('idle')
  const reload = useCallback(async () => {
    setState('trying')
    if (await answers(root)) location.replace(page)
    else setState('away')
  }, [root, page])

  useEffect(() => {
    if (!heals) return
    let isTrying = false
    const heal = async () => {
      if (isTrying) return
      isTrying = true
      if ((await answers(root)) && mayReload(sessionStorage, page, Date.now())) location.replace(page)
      isTrying = false
    }
    const timer = setInterval(() => void heal(), EVERY_MS)
    const onLine = () => void heal()
    window.addEventListener('online', onLine)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', onLine)
    }
  }, [root, page, heals])
  return { state, reload: () => void reload() }
}

/** Whether there is a server; that it refuses is an answer. */
async function answers({ http }: Root): Promise<boolean> {
  try {
    await http.ask(SERVER_CALLS.time, {}, { isBackground: true, signal: AbortSignal.timeout(PATIENCE_MS) })
    return true
  } catch (error) {
    return error instanceof CallRefused && error.status < 500
  }
}
