import { test } from './app.ts'
import { walkDrivers } from './paths.ts'

test.use({ world: { of: 'drivers p to z', devices: 60 } })

await walkDrivers((machine) => machine >= 'p')
