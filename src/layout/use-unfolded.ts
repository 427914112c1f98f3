import { useStore } from '../actors/store.ts'
import { useRoot } from '../actors/use-root.ts'

/** Whether a part stands open, remembered on this device; `byDefault` until the visitor says otherwise. */
export function useUnfolded(
  name: string,
  byDefault: boolean,
): [isUnfolded: boolean, set: (isUnfolded: boolean) => void] {
  const { preferences } = useRoot()
  const { unfolded } = useStore(preferences)
  return [
    unfolded[name] ?? byDefault,
    (isUnfolded) => {
      const now = preferences.get()
      preferences.set({ ...now, unfolded: { ...now.unfolded, [name]: isUnfolded } })
    },
  ]
}
