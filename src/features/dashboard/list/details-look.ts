/** px; rows are laid out before they are drawn. */
export const DETAILS_HEIGHT = 332

/** A way out of a device, in its details and on its card. */
export const action =
  'inline-flex h-control items-center gap-1.5 rounded-small px-2 font-medium text-link hover:bg-hover'
