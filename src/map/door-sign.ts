/** px */
export const DOOR_SIZE = 16

/** An open door in a box of 16 by 16: its frame, and its leaf swung into it. */
export const DOOR_SIGN = { frame: 'M2 2H14V14H2Z', leaf: 'M2 2 8 4.5V15.5L2 14Z' }
