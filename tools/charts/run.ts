/**
 * Draws every machine with what generated paths and the end-to-end tests of this checkout cover, on one HTML page that
 * needs nothing beside it:
 *
 *     npm run charts                     .cache/reports/charts.html
 *     npm run charts -- <file>
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { walk } from '#machines/testing/paths.ts'
import { readEndToEnd } from '../../simulator/lab/end-to-end.ts'
import { modelsOf } from '../../simulator/lab/known.ts'
import { chartsHtml } from './charts-html.ts'

const [file = resolve(import.meta.dirname, '../../.cache/reports/charts.html')] = process.argv.slice(2)
const models = await modelsOf()
const walks = models.map((model) => ({ model, found: walk(model) }))
mkdirSync(dirname(resolve(file)), { recursive: true })
writeFileSync(file, await chartsHtml(walks, readEndToEnd()))
console.log(`${walks.length} charts in ${file}`)
