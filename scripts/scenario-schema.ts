/** Writes `fixtures/scenario.schema.json` from the contract: `npx node scripts/scenario-schema.ts`, after either changes. */
import { writeFileSync } from 'node:fs'
import { scenarioSchemaText } from '../simulator/http/scenario-schema.ts'

writeFileSync(new URL('../fixtures/scenario.schema.json', import.meta.url), scenarioSchemaText())
