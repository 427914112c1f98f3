import type { ReactNode } from 'react'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Button } from '../../ui/button.tsx'
import type { ButtonKind } from '../../ui/button-look.ts'

type Props = {
  kind: ButtonKind
  isDisabled?: boolean
  onChoose: (file: File) => void
  children: ReactNode
}

/** A button that asks for a file of a recording. */
export function ChooseFile({ kind, isDisabled = false, onChoose, children }: Props) {
  return (
    <FileTrigger
      acceptedFileTypes={['application/json', '.json']}
      onSelect={(files) => {
        const [file] = files ?? []
        if (file) onChoose(file)
      }}
    >
      <Button kind={kind} isDisabled={isDisabled}>
        {children}
      </Button>
    </FileTrigger>
  )
}
