/** How the lines of devices that are compared are told apart, on grey paper too: by their dashes, and by a letter at their end. */
export const LINES = ['6 3', '2 3', '9 3 2 3'] as const
export const LETTERS = ['A', 'B', 'C'] as const
