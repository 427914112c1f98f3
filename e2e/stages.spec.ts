import { test } from './app.ts'
import { walkOnStage } from './paths.ts'
import { staged, stageOf } from './stages/staged.ts'

/** The machines that have a stage, but those whose walk takes long, walked in the real app: `npx playwright test stages -g session` for one of them. */
test.use({ world: { of: 'stages', devices: 60 } })

for (const machine of staged()) {
  const stage = await stageOf(machine)
  if (!stage.isLong) walkOnStage(machine, stage)
}
