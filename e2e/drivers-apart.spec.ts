import { test } from './app.ts'
import { driven, driverOf } from './drivers/driven.ts'
import { walkWithDriver } from './paths.ts'

/** Those that no other file walks take their time: nightly alone. */
test.use({ world: { of: 'drivers apart', devices: 60 } })

if (process.env.TEST_NIGHTLY === 'yes')
  for (const machine of driven()) {
    const driver = await driverOf(machine)
    if (driver.isApart && machine !== 'session') walkWithDriver(machine, driver)
  }
