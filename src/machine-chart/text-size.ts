/** Height of a line of text in a drawing, and of a box with its title alone, px. */
export const ROW_HEIGHT = 17
export const TITLE_HEIGHT = 32

const NARROW = /[ijlt.,:;'|()[\] fr-]/
const WIDE = /[mwMWA-HK-V%@]/

/**
 * How wide a text of 12 px (13 px where it is a title) will be, px: by kinds of letters, a little more than Inter needs,
 * since a layout is made where nothing is drawn yet and by scripts that have no fonts.
 */
export function textWidth(text: string, isTitle = false): number {
  let width = 0
  for (const letter of text) width += NARROW.test(letter) ? 4.4 : WIDE.test(letter) ? 9.2 : 7
  return isTitle ? width * 1.12 : width
}
