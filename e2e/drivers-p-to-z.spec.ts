import { test } from './app.ts'
import { walkStages } from './paths.ts'

test.use({ world: { of: 'stages p to z', devices: 60 } })

await walkStages((machine) => machine >= 'p')
