import latinMedium from '@fontsource/inter/files/inter-latin-500-normal.woff2?url'
import latinSemiBold from '@fontsource/inter/files/inter-latin-600-normal.woff2?url'
import latinExtMedium from '@fontsource/inter/files/inter-latin-ext-500-normal.woff2?url'
import latinExtSemiBold from '@fontsource/inter/files/inter-latin-ext-600-normal.woff2?url'
import vietnameseMedium from '@fontsource/inter/files/inter-vietnamese-500-normal.woff2?url'
import vietnameseSemiBold from '@fontsource/inter/files/inter-vietnamese-600-normal.woff2?url'
import ranges from '@fontsource/inter/unicode.json'
import type { StyleSpecification } from 'maplibre-gl'
import { preload } from 'react-dom'

export const MEDIUM = 'Inter Medium'
export const SEMI_BOLD = 'Inter SemiBold'

type FontFaces = NonNullable<StyleSpecification['font-faces']>

/**
 * The map's type as files of our own origin: static weights, because map labels are drawn glyph by glyph and a
 * variable font would come out in its default weight. A file is loaded when a label first needs it; those that every label needs
 * come with the map.
 */
export const fontFaces: FontFaces = {
  [MEDIUM]: faces(latinMedium, latinExtMedium, vietnameseMedium),
  [SEMI_BOLD]: faces(latinSemiBold, latinExtSemiBold, vietnameseSemiBold),
}

/** Asks for the files of most labels, while the land they stand on is still to come. */
export function preloadFonts(): void {
  for (const file of [latinMedium, latinSemiBold])
    preload(file, { as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' })
}

function faces(latin: string, latinExt: string, vietnamese: string) {
  return [
    { url: latin, 'unicode-range': ranges.latin.split(',') },
    { url: latinExt, 'unicode-range': ranges['latin-ext'].split(',') },
    { url: vietnamese, 'unicode-range': ranges.vietnamese.split(',') },
  ]
}
