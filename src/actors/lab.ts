import { useEffect, useMemo, useRef, useState } from 'react'
import {
  type Coverage,
  LAB_CALLS,
  type LabCoverage,
  type LabRun,
  type LabRunOrder,
} from '#machines/contracts/calls/lab-calls.ts'
import { pause } from '../effects/pause.ts'
import { type AskSim, createSim } from '../effects/sim.ts'
import { wordsOf } from './failure-words.ts'
import { coverageHere } from './lab-coverage.ts'
import { useRoot } from './use-root.ts'

/** Between two questions how a walk goes, ms. */
const ASK_AGAIN = 700

/** What was done in this browser, in all its windows, as it grows. */
export function useCoverageHere(): { taken: Coverage; clear: () => void } {
  const [taken, setTaken] = useState<Coverage>({})
  useEffect(() => {
    const kept = coverageHere()
    let isShown = true
    const show = () =>
      void kept.read().then(
        (read) => isShown && setTaken(read),
        // a browser that keeps nothing has covered nothing
        () => {},
      )
    show()
    const stop = kept.onChange(show)
    return () => {
      isShown = false
      stop()
    }
  }, [])
  return { taken, clear: () => void coverageHere().clear() }
}

/** What the end-to-end tests of the server's checkout covered; `failure`: why it is not known. */
export function useEndToEnd(): { coverage?: LabCoverage; failure?: string } {
  const ask = useSim()
  const [answer, setAnswer] = useState<{ coverage?: LabCoverage; failure?: string }>({})
  useEffect(() => {
    const aborter = new AbortController()
    ask(LAB_CALLS.labCoverage, {}, aborter.signal).then(
      (coverage) => setAnswer({ coverage }),
      (error: unknown) => !aborter.signal.aborted && setAnswer({ failure: wordsOf(error) }),
    )
    return () => aborter.abort()
  }, [ask])
  return answer
}

export type BrowserRun = {
  /** the last one; undefined before the first */
  run: LabRun | undefined
  /** why there is none, or nothing is known of it any more */
  failure: string | undefined
  start: (order: LabRunOrder) => void
  cancel: () => void
}

/** Has a browser of the server's walk to a transition, and follows it to its end. */
export function useBrowserRun(): BrowserRun {
  const ask = useSim()
  const [run, setRun] = useState<LabRun>()
  const [failure, setFailure] = useState<string>()
  const following = useRef<AbortController>(undefined)
  useEffect(() => () => following.current?.abort(), [])

  async function follow(order: LabRunOrder, { signal }: AbortController): Promise<void> {
    try {
      let now = await ask(LAB_CALLS.startLabRun, { body: order }, signal)
      setRun(now)
      while (now.state === 'running') {
        await pause(ASK_AGAIN, signal)
        now = await ask(LAB_CALLS.labRun, { params: { id: now.id } }, signal)
        setRun(now)
      }
    } catch (error) {
      if (!signal.aborted) setFailure(wordsOf(error))
    }
  }

  return {
    run,
    failure,
    start(order) {
      following.current?.abort()
      following.current = new AbortController()
      setRun(undefined)
      setFailure(undefined)
      void follow(order, following.current)
    },
    cancel() {
      if (run === undefined) return
      ask(LAB_CALLS.cancelLabRun, { params: { id: run.id } }).then(setRun, (error: unknown) =>
        setFailure(wordsOf(error)),
      )
    },
  }
}

function useSim(): AskSim {
  const { baseUrl, fetch, director } = useRoot()
  return useMemo(
    () => createSim({ baseUrl, fetch, token: () => director.get().token }),
    [baseUrl, fetch, director],
  )
}
