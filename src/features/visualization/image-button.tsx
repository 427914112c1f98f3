import { Download } from 'lucide-react'
import { IconButton } from '../../ui/icon-button.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'

/** Saves a chart as an image. */
export const ImageButton = (props: { isDisabled: boolean; onPress: () => void }) => (
  <Tooltip text="Download as image">
    <IconButton aria-label="Download chart as image" {...props}>
      <Download size={16} aria-hidden />
    </IconButton>
  </Tooltip>
)
