import { lasted } from './excursions.ts'
import type { ReportedLoad } from './loads.ts'
import type { Making } from './making.ts'
import { wasOut } from './out-of-range.ts'
import { openBook } from './pdf-book.ts'
import { MARGIN, WIDTH } from './pdf-page.ts'
import type { DeviceTemperature } from './temperature.ts'
import { drawTemperature } from './temperature-chart.ts'
import { BLOCK, CHART, drawDevice } from './temperature-device.ts'
import { drawFront, NAMED, type Named } from './temperature-front.ts'
import { drawLoads } from './temperature-loads.ts'

/**
 * The temperature report to look at and to print: a first page that says what it is and who was out of range longest,
 * then half a page a device with its course, its figures and its worst excursions, and what devices carried. Devices are drawn as they
 * come.
 */
export function temperatureBook(making: Making) {
  const { order, local, limitsInForce, gapMs, starts } = making
  const { doc, finish } = openBook(making)
  const [from, to] = [order.from, starts.at(-1) as number]
  const worst: Named[] = []
  let drawn = 0
  let [silent, devicesOut, excursions] = [0, 0, 0]
  const loads: ReportedLoad[] = []

  function look(one: DeviceTemperature): void {
    if (drawn % 2 === 0) doc.addPage()
    const top = MARGIN + (drawn % 2) * (BLOCK + 10)
    drawn++
    drawDevice(doc, top, one, making, () => {
      const box = { x: MARGIN, y: top + 62, width: WIDTH, height: CHART }
      const limits = limitsInForce.ofDevice(one.device.no).temperature
      drawTemperature(
        doc,
        box,
        { readings: one.readings, limits, excursions: one.excursions, from, to, gapMs },
        local,
      )
    })
    loads.push(...one.loads)
    excursions += one.excursions.length
    if (one.excursions.length > 0) devicesOut++
    const { device, whole } = one
    if (whole.count === 0) silent++
    if (!wasOut(whole)) return
    worst.push({
      name: device.name,
      plate: device.plateNumber,
      group: device.groupName,
      whole,
      longest: Math.max(0, ...one.excursions.map(lasted)),
      count: one.excursions.length,
    })
    worst.sort(byTimeOut)
    if (worst.length > NAMED) worst.pop()
  }

  return {
    look,
    async finish(): Promise<Uint8Array> {
      if (loads.length > 0) await drawLoads(doc, making, loads)
      doc.switchToPage(0)
      const exhausted = loads.filter(({ status }) => status.exhausted !== undefined).length
      drawFront(doc, making, {
        devices: drawn,
        silent,
        devicesOut,
        excursions,
        loads: loads.length,
        exhausted,
        worst,
      })
      return finish()
    },
  }
}

/** Longest first; of those whose readings stand for no time the one with most of them beyond its limits. */
const byTimeOut = ({ whole: a }: Named, { whole: b }: Named): number =>
  b.above + b.below - (a.above + a.below) || b.countAbove + b.countBelow - (a.countAbove + a.countBelow)
