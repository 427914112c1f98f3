import { coordinates } from '#machines/rules/figures.ts'

export type Position = { lat: number; lng: number }
type PlaceProps = {
  at: Position
  /** the nearest town, or how far and which way from it; empty or left out: not known */
  words: string | undefined
  className?: string
}

/** Where something is, in words, with the coordinates on hover; these alone where no place is known. */
export function Place({ at, words, className }: PlaceProps) {
  const position = coordinates(at)
  return (
    <span title={position} className={className}>
      {words || position}
    </span>
  )
}
