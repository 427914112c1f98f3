/** A picture is smaller than this, bytes. */
export const IMAGE_BYTES = 5 * 1024 * 1024
export const IMAGE_TOO_LARGE = 'Please select an image less than the size of 5MB.'
export const NO_IMAGE = 'Invalid file format, please select an image!'

/**
 * What is wrong with a file as far as its name and size tell; null where nothing is. Whether it is a picture is decided
 * where it is decoded.
 */
export function imageFault({ size, type }: { size: number; type: string }): string | null {
  if (!type.startsWith('image/')) return NO_IMAGE
  return size < IMAGE_BYTES ? null : IMAGE_TOO_LARGE
}
