import { SearchX } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import NoFleet from './no-fleet.tsx'

/** Nothing is in what was picked or typed, or there is nothing to pick from. */
export default function NoDevices({
  isFleetEmpty,
  words,
  onClear,
}: {
  isFleetEmpty: boolean
  /** what is searched for; blank: nothing */
  words: string
  onClear: () => void
}) {
  if (isFleetEmpty) return <NoFleet />
  return (
    <EmptyState
      title="No data Found"
      icon={<SearchX size={22} aria-hidden />}
      action={<Button onPress={onClear}>Show all devices</Button>}
    >
      {words.trim() === ''
        ? 'No device is in what was picked.'
        : `No name, IMEI or plate matches “${words.trim()}”.`}
    </EmptyState>
  )
}
