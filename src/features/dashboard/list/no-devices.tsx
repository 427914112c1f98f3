import { SearchX } from 'lucide-react'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'

/** Nothing is in what was picked or typed. */
export function NoDevices({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      title="No data Found"
      icon={<SearchX size={22} aria-hidden />}
      action={<Button onPress={onClear}>Show all devices</Button>}
    >
      No device is in what was picked.
    </EmptyState>
  )
}
