import { type KeyboardEvent, useId, useState } from 'react'

/** Keys that walk a list while the focus stays in its search field. */
export type ActiveOption = {
  /** options there are; without any there is no list to be led to */
  count: number
  /** -1: none */
  index: number
  setIndex(index: number): void
  listId: string
  optionId(index: number): string
  /** for the search field, with the combobox roles */
  onKeyDown(event: KeyboardEvent): void
}

/**
 * The option the arrow keys stand on. `count`: options there are; `onPick`: Enter was pressed on one; `start`: where they
 * stand at first. The focus never leaves the field, so typing goes on while the list is walked.
 */
export function useActiveOption(
  count: number,
  onPick: (index: number) => void,
  { page = 8, start = 0 } = {},
): ActiveOption {
  const [wanted, setIndex] = useState(start)
  const listId = useId()
  const index = Math.min(wanted, count - 1)

  function onKeyDown(event: KeyboardEvent): void {
    const next = target(event.key, index, count, page)
    if (next !== undefined) {
      event.preventDefault()
      setIndex(next)
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      // where nothing is found it is not the form's either
      event.preventDefault()
      if (count > 0) onPick(index)
    }
  }

  return { count, index, setIndex, listId, optionId: (i) => `${listId}-${i}`, onKeyDown }
}

function target(key: string, index: number, count: number, page: number): number | undefined {
  if (count === 0) return undefined
  const last = count - 1
  switch (key) {
    case 'ArrowDown':
      return index === last ? 0 : index + 1
    case 'ArrowUp':
      return index <= 0 ? last : index - 1
    case 'PageDown':
      return Math.min(last, index + page)
    case 'PageUp':
      return Math.max(0, index - page)
    default:
      return undefined
  }
}
