import { createContext, useContext } from 'react'

/** Why nothing can be changed here: one looks back. undefined: now. */
export const PastContext = createContext<string | undefined>(undefined)
export const useOnlyNow = (): string | undefined => useContext(PastContext)
