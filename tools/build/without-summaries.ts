import type { Plugin } from 'vite'

/** What a call is for, in words; a text that is composed stays. */
const SUMMARY = /\bsummary:\s*(['"`])(?:\\.|(?!\1)[^\\])*\1,/g

/** Says what calls are for to whoever reads the server's list of them: the portal has no use for that, and is built without it. */
export const withoutSummaries = (): Plugin => ({
  name: 'without-summaries',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: /machines[\\/]contracts[\\/]calls[\\/][^?]*\.ts$/, code: 'summary:' },
    handler: (code) => summariesEmptied(code),
  },
})

/** Each summary of a file of calls as an empty text. */
export const summariesEmptied = (code: string): string => code.replace(SUMMARY, `summary: '',`)
