import { test } from './app.ts'
import { walkDrivers } from './paths.ts'

test.use({ world: { of: 'drivers a to o', devices: 60 } })

await walkDrivers((machine) => machine < 'p')
