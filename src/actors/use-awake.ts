import { useEffect } from 'react'
import { keepAwake } from '../effects/wake-lock.ts'

/** The screen stays on while this is shown. */
export function useAwake(): void {
  useEffect(keepAwake, [])
}
