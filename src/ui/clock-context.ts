import { createContext, useContext, useEffect, useState } from 'react'

/** Where components take the time from: the server's clock where there is one, never the browser's own. */
export const ClockContext = createContext<{ now(): number }>({ now: () => Date.now() })

/** The time, renewed every `everyMs`; epoch ms. */
export function useNow(everyMs = 1000): number {
  const clock = useContext(ClockContext)
  const [now, setNow] = useState(() => clock.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(clock.now()), everyMs)
    return () => clearInterval(timer)
  }, [clock, everyMs])
  return now
}
