import { test } from './app.ts'
import { walkOnStage } from './paths.ts'
import { staged, stageOf } from './stages/staged.ts'

/** Every machine that has a stage, walked in the real app: `npx playwright test stages -g session` for one of them. */
test.use({ world: { of: 'stages', devices: 60 } })

for (const machine of staged()) walkOnStage(machine, await stageOf(machine))
