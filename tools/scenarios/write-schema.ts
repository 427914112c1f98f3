/** Writes `fixtures/scenario.schema.json` from the contract: `npx node tools/scenarios/write-schema.ts`, after either changes. */
import { writeFileSync } from 'node:fs'
import { scenarioSchemaText } from '../../simulator/routes/scenario-schema.ts'

writeFileSync(new URL('../../fixtures/scenario.schema.json', import.meta.url), scenarioSchemaText())
