/** Writes `docs/contract.md` from `fixtures/contract.json`: `npx node tools/contract/run.ts`, after the list changes. */
import { writeFileSync } from 'node:fs'
import { contractPage, requirements } from './contract-table.ts'

writeFileSync(new URL('../../docs/contract.md', import.meta.url), contractPage(requirements()))
