import { clockTime } from '../../format/time.ts'
import type { DeviceIncident } from './use-incident-of.ts'

/** Who has what is open of a device: their name, that nobody does, or that it is shelved, by whom and until when. */
export function holderWords({ incident: { holder }, shelving }: DeviceIncident): string {
  if (shelving === undefined) return holder?.userName ?? 'Nobody'
  return `Shelved by ${shelving.userName} until ${clockTime(shelving.until)}`
}

/** "Ayesha Malik" is AM. */
export function initialsOf(userName: string): string {
  const words = userName.split(/\s+/).filter(Boolean)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters.map((word) => word?.charAt(0).toUpperCase() ?? '').join('') || '?'
}
