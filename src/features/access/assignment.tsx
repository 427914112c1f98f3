import { PackageOpen } from 'lucide-react'
import { useSignedIn } from '../../actors/use-root.ts'
import { EmptyState } from '../../ui/empty-state.tsx'

/** Where one comes in when no device is assigned to one's group. */
export default function Assignment() {
  const { groupInfo } = useSignedIn()
  return (
    <>
      <h1 className="sr-only">No devices assigned</h1>
      <EmptyState title="No devices are assigned to you yet" icon={<PackageOpen size={22} aria-hidden />}>
        {groupInfo.name} has no vehicles or warehouses. Whoever looks after the group above it can assign them
        under Groups; they appear here at the next sign-in.
      </EmptyState>
    </>
  )
}
