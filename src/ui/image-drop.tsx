import { ImageOff, ImagePlus } from 'lucide-react'
import { useState } from 'react'
import { DropZone } from 'react-aria-components/DropZone'
import { FileTrigger } from 'react-aria-components/FileTrigger'
import { Text } from 'react-aria-components/Text'
import { Button } from './button.tsx'

export type ImageDropProps = {
  label: string
  /** address of the picture there is, or of the one chosen; '' for none */
  value: string
  onPick: (file: File) => void
  /** shown on the message's line while nothing is wrong */
  hint: string
  message?: string | undefined
  isDisabled?: boolean
}

/** A picture with a place to drop another on, or choose one. It is shown as it will look. */
export function ImageDrop({ label, value, onPick, hint, message, isDisabled = false }: ImageDropProps) {
  const isInvalid = message !== undefined
  return (
    <div data-invalid={isInvalid || undefined} className="group/field flex flex-col">
      <span className="pb-1 font-medium text-dense text-ink-soft">{label}</span>
      <DropZone
        aria-label={`${label}: drop or paste an image here`}
        isDisabled={isDisabled}
        getDropOperation={() => 'copy'}
        onDrop={async ({ items }) => {
          const dropped = items.find((item) => item.kind === 'file')
          if (dropped?.kind === 'file') onPick(await dropped.getFile())
        }}
        className="flex items-center gap-4 rounded-panel border border-edge border-dashed p-4 data-drop-target:border-accent data-drop-target:bg-accent-soft data-focus-visible:outline-2 data-focus-visible:outline-focus group-data-invalid/field:border-error"
      >
        <Preview key={value} address={value} />
        <div className="flex min-w-0 flex-col items-start gap-2">
          <FileTrigger
            acceptedFileTypes={['image/*']}
            onSelect={(files) => {
              const [file] = files ?? []
              if (file) onPick(file)
            }}
          >
            <Button isDisabled={isDisabled} {...(isInvalid && { 'aria-describedby': DESCRIPTION })}>
              <ImagePlus size={16} aria-hidden />
              Choose Image
            </Button>
          </FileTrigger>
          <Text slot="label" className="text-dense text-ink-soft">
            or drop one here
          </Text>
        </div>
      </DropZone>
      <div
        id={DESCRIPTION}
        role={isInvalid ? 'alert' : undefined}
        className={`min-h-7 pt-1 text-dense ${isInvalid ? 'text-error' : 'text-ink-faint'}`}
      >
        {message ?? hint}
      </div>
    </div>
  )
}

/** One on a page. */
const DESCRIPTION = 'image-drop-message'

function Preview({ address }: { address: string }) {
  const [isBroken, setBroken] = useState(false)
  return (
    <span className="flex size-24 shrink-0 items-center justify-center overflow-hidden rounded-panel bg-sunken text-ink-faint">
      {address === '' || isBroken ? (
        <span className="flex flex-col items-center gap-1 text-dense">
          <ImageOff size={22} aria-hidden />
          {isBroken ? 'No preview' : 'No image'}
        </span>
      ) : (
        <img
          src={address}
          alt="As it will look"
          onError={() => setBroken(true)}
          className="size-full object-cover"
        />
      )}
    </span>
  )
}
