/** px between a marker and its card. */
const GAP = 26

/** Puts the card beside its marker, on the side that has room; hides it where the marker is out of sight. */
export function placeCard(card: HTMLElement, at: { x: number; y: number } | null): void {
  const room = card.parentElement
  if (at === null || room === null) {
    card.style.visibility = 'hidden'
    return
  }
  const { offsetWidth: width, offsetHeight: height } = card
  const beside = at.x + GAP + width < room.clientWidth - 56 ? at.x + GAP : at.x - GAP - width
  // Where neither side has room for it, it may cover the marker, not be covered by the list.
  const x = Math.max(8, beside)
  const y = Math.max(8, Math.min(room.clientHeight - height - 8, at.y - height / 2))
  card.style.visibility = 'visible'
  card.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`
}
