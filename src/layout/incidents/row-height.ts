/** Of an incident in a list, px. */
export const ROW_HEIGHT = 56
