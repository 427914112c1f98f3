import { takeHandOff } from './hand-off.ts'

/** Taken from the address when this file is first asked for, which is the first thing the page does. */
export const handOff = takeHandOff(location, history)
