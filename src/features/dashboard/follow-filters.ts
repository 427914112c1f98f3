import type { MapController } from './map/map-controller.ts'

export type Filtered = {
  mask: Uint8Array | undefined
  /** the filters: another object when others are picked, or something else is searched for */
  question: { words: string }
  /** the map goes along with the selected device */
  isFollowed: boolean
}

/**
 * Has the map show what the filters leave, and go there, but never away from the device it goes along with. What is picked is
 * shown at once; of what is typed the list answers each key, and the map, which takes longer to draw than a key may, the last.
 * @param soon calls back when nobody types
 */
export function followFilters(
  controller: Pick<MapController, 'setMask' | 'fitShown'>,
  soon: (call: () => void) => void,
): (filtered: Filtered) => void {
  let shown: Filtered | undefined
  let wanted: Filtered
  /** asked while it went along with a device: let go of before the map has shown it, that device stays in sight */
  let requestedAlong: Filtered['question'] | undefined

  function show(): void {
    const before = shown
    shown = wanted
    if (before?.mask !== wanted.mask) controller.setMask(wanted.mask)
    const { question } = wanted
    if (before !== undefined && before.question !== question && question !== requestedAlong)
      controller.fitShown()
  }

  return (filtered) => {
    wanted = filtered
    if (filtered.isFollowed) requestedAlong = filtered.question
    if (shown === undefined || shown.question.words === filtered.question.words) show()
    else soon(() => wanted === filtered && show())
  }
}
