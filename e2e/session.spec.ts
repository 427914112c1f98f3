import { test } from './app.ts'
import { walkOnStage } from './paths.ts'
import { stage } from './stages/session.stage.ts'

/** By itself: it lets an hour pass again and again, in which much happens where others have been. */
test.use({ world: { of: 'session', devices: 60 } })

walkOnStage('session', stage)
