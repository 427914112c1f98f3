import type { Plugin } from 'vite'

const MODULE = '\0zip-in-place'

/**
 * Has spreadsheets compressed where they are made, which is a worker of ours. By itself their library hands what is larger
 * than 160 kB to workers made of text, which the content policy forbids: the file would never come.
 */
export function zipInPlace(): Plugin {
  return {
    name: 'zip-in-place',
    enforce: 'pre',
    resolveId: (source, importer = '') =>
      source === 'fflate' && importer.includes('write-excel-file') ? MODULE : undefined,
    load: (id) =>
      id === MODULE
        ? `import { strToU8, zipSync } from 'fflate'
           export { strToU8, zipSync }
           export const zip = (files, done) => done(null, zipSync(files))`
        : undefined,
  }
}
