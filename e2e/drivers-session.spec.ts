import { test } from './app.ts'
import { driver } from './drivers/session.driver.ts'
import { walkWithDriver } from './paths.ts'

/** By itself: it lets an hour pass again and again, in which much happens where others have been. */
test.use({ world: { of: 'session', devices: 60 } })

walkWithDriver('session', driver)
