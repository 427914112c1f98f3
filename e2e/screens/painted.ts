import type { Locator } from '@playwright/test'

/** A text on the map, where it stands, px of the map. */
export type Painted = { text: string; x: number; y: number }

/** What stands on the map now. The GPU cannot be asked: the map's element tells what it had drawn. */
export function paintedOn(map: Locator): Promise<Painted[]> {
  return map.evaluate((room) => (room as HTMLElement & { drawnTexts?: Painted[] }).drawnTexts ?? [])
}
