import { type ReactNode, useEffect, useState } from 'react'
import { useStore } from '../actors/store.ts'
import { useRoot } from '../actors/use-root.ts'
import { buttonLook } from '../ui/button-look.ts'
import { ErrorState } from '../ui/error-state.tsx'

/** A server that has not answered so long after the page was opened is told to be away, ms. */
const PATIENCE = 5000

/**
 * In the place of what cannot begin before the server has answered once: the shape of it, and after five seconds what is
 * wrong, with when it is asked again.
 */
export function ServerAwaited({ skeleton }: { skeleton: ReactNode }) {
  const absence = useStore(useRoot().absence)
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), PATIENCE - performance.now())
    return () => clearTimeout(timer)
  }, [])
  if (absence === undefined || !isLong) return skeleton
  return (
    <ErrorState
      title="Frostline's server does not answer"
      action={
        <button type="button" className={buttonLook('plain')} onClick={absence.askNow}>
          Try again now
        </button>
      }
    >
      <p>{absence.why}</p>
      <p className="tabular mt-1">
        <NextTry at={absence.nextTry} /> The page comes as soon as there is an answer.
      </p>
    </ErrorState>
  )
}

/** `at`: of performance.now(). */
function NextTry({ at }: { at: number }) {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 250)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.ceil((at - now) / 1000)
  return seconds > 0 ? `It is asked again in ${seconds} s.` : 'It is being asked again.'
}
