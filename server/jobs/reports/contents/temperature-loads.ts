import { mktOf } from '#machines/rules/budget-status.ts'
import { LOAD_STATE_WORDS } from '#machines/rules/load-state-words.ts'
import type { ReportedLoad } from './loads.ts'
import type { Making } from './making.ts'
import { type Cells, type Doc, degrees, HOT, INK, MARGIN, TABULAR } from './pdf-page.ts'
import { drawRows } from './pdf-rows.ts'

/** What devices carried, on pages of their own: exhausted ones first, then by how much is used. */
export async function drawLoads(
  doc: Doc,
  { local, pause }: Pick<Making, 'local' | 'pause'>,
  loads: readonly ReportedLoad[],
): Promise<void> {
  doc.addPage()
  doc.font('strong').fontSize(13).fillColor(INK).text('Loads', MARGIN, MARGIN, TABULAR)
  const rows = loads
    .toSorted((a, b) => rankOf(b) - rankOf(a))
    .map(({ reference, device, openedAt, closedAt, state, status, budget, isGone }): Cells => {
      const isExhausted = status.exhausted !== undefined
      return [
        reference,
        device.plateNumber || device.name,
        local.dateTime(openedAt),
        closedAt === null ? 'under way' : local.dateTime(closedAt),
        [LOAD_STATE_WORDS[state], isExhausted || state === 'rejected' ? HOT : INK],
        usedOf(status, isGone),
        degrees(mktOf(budget).value),
        isExhausted ? [local.dateTime(status.exhausted?.at ?? 0), HOT] : 'no',
      ]
    })
  await drawRows({ pause }, doc, MARGIN + 28, {
    heading: ['Load', 'Device', 'Opened', 'Closed', 'State', 'Used', 'Mean kinetic', 'Exhausted'],
    widths: [92, 74, 74, 74, 58, 48, 42, 53],
    rows,
    none: '',
  })
}

const rankOf = ({ status: { exhausted, percent } }: ReportedLoad): number =>
  (exhausted === undefined ? 0 : 1000) + (percent || 0)

/** «62 %», «62–85 %» where readings are missing, «from 62 %» where the first are no longer kept. */
function usedOf({ percent, most, exhausted }: ReportedLoad['status'], isGone: boolean): string {
  if (Number.isNaN(percent)) return isGone ? 'not kept' : 'not measured'
  const [least, highest] = [Math.floor(percent), Math.floor(most)]
  if (isGone && exhausted === undefined) return `from ${least} %`
  return highest > least ? `${least}–${highest} %` : `${least} %`
}
