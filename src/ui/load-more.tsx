import type { ReactNode } from 'react'
import { Button } from './button.tsx'

export type LoadMoreProps = {
  isLoading: boolean
  /** while it is loading, where left out */
  isDisabled?: boolean
  onPress: () => void
  /** what is said above the button */
  children?: ReactNode
}

/** Under the rows of a list that are there: brings more. */
export const LoadMore = ({ isLoading, isDisabled = isLoading, onPress, children }: LoadMoreProps) => (
  <div className="flex flex-col items-center gap-1 border-line border-t p-3 print:hidden">
    {children}
    <Button onPress={onPress} isDisabled={isDisabled} isPending={isLoading}>
      {isLoading ? 'Loading…' : 'Load More'}
    </Button>
  </div>
)
